import { useTranslation } from 'react-i18next'

/** `t` of parameters, dictionaries and lines for keys that are made at run time (types, states, kinds). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['system', 'ui'])
  return t as unknown as Say
}
