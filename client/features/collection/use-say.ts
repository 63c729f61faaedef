import { useTranslation } from 'react-i18next'

/** `t` of collection for keys that are made at run time (stages, states, columns). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['collection', 'ui'])
  return t as unknown as Say
}
