import { useTranslation } from 'react-i18next'

/** `t` of accounts and roles for keys that are made at run time (roles, statuses, codes of buttons). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['access', 'ui'])
  return t as unknown as Say
}
