import Type from 'typebox'
import { Paise, Time } from '#shared/kernel/endpoint.ts'
import { UTR_PATTERN, VPA_PATTERN } from './payment-patterns.ts'

/** What staff enter of a payment they book. */
export const PaidFields = {
  amount: Paise({ minimum: 1, maximum: 10 ** 15 }),
  utr: Type.String({ pattern: UTR_PATTERN }),
  /** A dash when no UPI address is involved; not allowed for an e-wallet. */
  upi: Type.String({ pattern: `^-$|${VPA_PATTERN}` }),
  channel: Type.Integer({ minimum: 1, maximum: 4 }),
  bankCode: Type.String({ pattern: '^[A-Z]{4}$' }),
  /** When the borrower paid; its IST day is the value date. */
  payTime: Time(),
}
