import { useTranslation } from 'react-i18next'

/** `t` of the customers for keys that are made at run time; words of reviews, orders, money, cases and tickets come from their own files. */
export type Say = (key: string, params?: Record<string, unknown>) => string

export function useSay(): Say {
  const { t } = useTranslation([
    'customers',
    'review',
    'orders',
    'repayments',
    'collection',
    'tickets',
    'problems',
    'ui',
  ])
  return t as unknown as Say
}
