import { useTranslation } from 'react-i18next'

/** `t` of products for keys that are made at run time (columns, classes, faults). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['products', 'ui'])
  return t as unknown as Say
}
