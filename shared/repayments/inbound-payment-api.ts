import Type from 'typebox'
import { PREPAYMENT_EFFECTS } from './emi/prepayment-effects.ts'
import { endpoint, Id, Nullable, OneOf, Paise, Text, Time } from '#shared/kernel/endpoint.ts'
import { UTR_PATTERN, VPA_PATTERN } from './payment-patterns.ts'

/** Numbers of the dictionary `repay_channel`. */
export const REPAY_CHANNEL = { wallet: 1, bankTransfer: 2, offline: 3, paymentLink: 4 } as const

/**
 * A signed call of the payment channel; shared/orders/inbound-api.ts describes the signature.
 */
export const inboundPayment = endpoint({
  method: 'POST',
  path: '/inbound/payment',
  access: { machine: 'payment' },
  input: Type.Object(
    {
      vendorOrderNo: Id(),
      orderId: Id(),
      amount: Paise({ minimum: 1, maximum: 10 ** 15 }),
      /** Required for a success: payments are counted once per UTR. */
      utr: Type.Optional(Type.String({ pattern: UTR_PATTERN })),
      upi: Type.Optional(Type.String({ pattern: VPA_PATTERN })),
      channel: Type.Integer({ minimum: 1, maximum: 4 }),
      bankCode: Type.Optional(Type.String({ pattern: '^[A-Z]{4}$' })),
      result: OneOf(['processing', 'success', 'fail']),
      failReason: Type.Optional(Text(1, 200)),
      /** Of a failure: the bank returned the debit, which costs the bounce charge of an EMI loan. */
      bounced: Type.Optional(Type.Boolean()),
      /**
       * When the borrower paid; its IST day is the value date. Defaults to the arrival of the first
       * call.
       */
      payTime: Type.Optional(Time()),
      /** What it changes in the plan of an EMI loan beyond what is due; default: that of its product. */
      ahead: Type.Optional(OneOf(PREPAYMENT_EFFECTS)),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({
    recordId: Type.String(),
    /** Null while the payment is parked: its order is unknown. */
    orderId: Nullable(Type.String()),
    status: Nullable(Type.Integer()),
    payState: Type.String(),
    /** False for a repeated result. */
    applied: Type.Boolean(),
  }),
  audit: 'payment',
  summary: 'A payment of a borrower: accepted, received or failed; duplicates change nothing',
})
