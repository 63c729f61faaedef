import { type Text, useText } from '#client/base/use-text.ts'

/** The customer page uses the labels of the review, order, repayment, case and ticket screens. */
export function useCustomerText(): Text {
  return useText('customers', 'review', 'orders', 'repayments', 'collection', 'tickets', 'problems')
}
