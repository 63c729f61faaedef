import { useTranslation } from 'react-i18next'

/** `t` of any component or grid cell, for keys with namespace or put together from codes; a test looks that each key exists. */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['tickets', 'ui'])
  return t as unknown as Say
}
