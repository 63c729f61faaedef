import Type from 'typebox'
import { Day, endpoint, Id, Paise, Text, Version } from '#shared/kernel/endpoint.ts'
import { MOST_SETTLEMENT_ROWS } from './settlement-plan.ts'

/** The cure of a bad debt. */
const strict = { additionalProperties: false }

export const cureOrder = endpoint({
  method: 'POST',
  path: '/order/cure',
  access: ['order_list:cure'],
  menu: 'order_list',
  input: Type.Object(
    {
      orderId: Id(),
      version: Version(),
      /** IST days and paise, the earliest first; their sum is what the order owes today. */
      plan: Type.Array(
        Type.Object({ dueTime: Day(), amount: Paise({ minimum: 1, maximum: 10 ** 15 }) }, strict),
        { minItems: 1, maxItems: MOST_SETTLEMENT_ROWS, fault: 'repayments:fault.settlement.rows' },
      ),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: Type.Object({ approvalId: Type.String() }),
  audit: 'requestCure',
  idempotency: 'required',
  summary:
    'Requests a settlement plan that takes an order out of bad debt; another person approves it',
})
