import Type from 'typebox'
import { endpoint, Id, OneOf, Paise } from '#shared/kernel/endpoint.ts'
import { LINK_WAYS } from './link-sets.ts'

/** Payment links. */
export const sendLink = endpoint({
  method: 'POST',
  path: '/repay/link/send',
  access: ['repay_plan:link', 'pedding_list:link'],
  menu: 'repay_plan',
  input: Type.Object(
    { planId: Id(), amount: Paise({ minimum: 1, maximum: 10 ** 15 }), way: OneOf(LINK_WAYS) },
    { additionalProperties: false },
  ),
  data: Type.Object({ linkId: Type.String(), expiresAt: Type.String() }),
  audit: 'sendLink',
  idempotency: 'required',
  summary: 'Sends the borrower a link to pay an amount, inside the hours of contact',
})
