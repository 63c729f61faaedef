import { useTranslation } from 'react-i18next'

/** `t` of announcements for keys that are made at run time (states, conditions). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['notices', 'ui', 'access'])
  return t as unknown as Say
}
