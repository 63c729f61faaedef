import { useTranslation } from 'react-i18next'

/** `t` of repayments for keys that are made at run time (states, kinds, columns). */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation(['repayments', 'ui'])
  return t as unknown as Say
}
