import Type from 'typebox'
import { endpoint, Id, Version } from '#shared/kernel/endpoint.ts'
import { PaidFields } from './paid-fields.ts'

/** The end of a loan within its cooling-off. Apart from the other payments: the order list loads it. */
const strict = { additionalProperties: false }

export const exitCoolingOff = endpoint({
  method: 'POST',
  path: '/order/coolingOff',
  access: ['order_list:coolingOff'],
  menu: 'order_list',
  input: Type.Object({ orderId: Id(), version: Version(), ...PaidFields }, strict),
  data: Type.Object({ recordId: Type.String() }),
  audit: 'coolingOff',
  idempotency: 'required',
  summary: 'Books the payment that ends a loan within its cooling-off; another person confirms it',
})
