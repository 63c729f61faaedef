import Type from 'typebox'
import { endpoint, Id, OneOf, Text } from '#shared/kernel/endpoint.ts'

export const REVEAL_FIELDS = [
  'phone',
  'pan',
  'account',
  'upi',
  'email',
  'address',
  'contactPhone',
] as const

/** Buttons that reveal a personal value, per page that shows the customer. */
export const REVEAL_CODES = [
  'info:reveal',
  'customer_list:reveal',
  'review_list:reveal',
  'order_list:reveal',
  'loan_list:reveal',
  'user_feedback:reveal',
  'operation_ticket:reveal',
  'loaned_ticket:reveal',
  'no_certified:reveal',
  'unrequished:reveal',
  'no_relented:reveal',
  'loan_failed:reveal',
] as const

export const revealField = endpoint({
  method: 'POST',
  path: '/userInfo/reveal',
  access: REVEAL_CODES,
  menu: 'customer_list',
  /**
   * `transferId`: the account of that transfer, which may be older than the customer's. `recordId`:
   * the payment whose UPI address is meant.
   */
  input: Type.Object(
    {
      userId: Id(),
      field: OneOf(REVEAL_FIELDS),
      contactId: Type.Optional(Id()),
      transferId: Type.Optional(Id()),
      recordId: Type.Optional(Id()),
      reason: Text(4, 100),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({ value: Type.String(), shownSeconds: Type.Integer() }),
  audit: 'reveal',
  summary: 'Opens one masked field of one customer for 60 s; logged before the value leaves',
})
