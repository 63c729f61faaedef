import { type Text, useText } from '#client/base/use-text.ts'

/** The customer page uses the labels of the review, order, repayment, case and ticket screens. */
export const CUSTOMER_TEXTS = [
  'customers',
  'review',
  'orders',
  'ledger',
  'repayments',
  'collection',
  'tickets',
  'coupons',
  'problems',
] as const

export function useCustomerText(): Text {
  return useText(...CUSTOMER_TEXTS)
}
