/** A payment of a lived order as a row. */
import { maskUpi } from '#shared/repayments/mask-upi.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { CHANNEL } from './doers.ts'
import type { Payment } from './life.ts'
import type { GivenIds, OrderIds } from './row-ids.ts'
import type { Person } from './people.ts'
import { rngOf } from './random.ts'
import type { Batch } from './tables.ts'

const WALLETS = ['okaxis', 'okhdfcbank', 'ybl', 'paytm', 'ibl'] as const
/** E-wallet, payment link, bank transfer (dictionary `repay_channel`), and how often each. */
const CHANNELS = [1, 4, 2] as const
const CHANNEL_WEIGHTS = [55, 27, 18] as const

/**
 * Told by the payment channel: from the borrower's wallet, by a payment link, or by bank transfer.
 */
export function addPayment(
  batch: Batch,
  { orderId, customerId }: OrderIds,
  payment: Payment,
  person: Person,
  secrets: Secrets,
  { plans, payments }: GivenIds,
): void {
  const id = payments.get(payment) as string
  const n = id.slice(2)
  const rng = rngOf('payment', id)
  const channel = CHANNELS[rng.weighted(CHANNEL_WEIGHTS)] ?? 1
  const upi =
    channel === 2
      ? null
      : `${person.name.split(' ')[0]?.toLowerCase() ?? 'payer'}.${rng.int(10, 99)}@${rng.pick(WALLETS)}`
  const bankCode = person.bank.ifsc.slice(0, 4)
  const { doneAt, bounceCharge } = payment
  const isReturned = bounceCharge !== undefined
  batch.add('repay_record', {
    id,
    order_id: orderId,
    told_order_id: orderId,
    plan_id: plans.get(payment.plan),
    customer_id: customerId,
    repayment_type: payment.type,
    ahead: payment.ahead,
    amount: payment.amount,
    // the record's own number makes it unlike any other
    utr: isReturned
      ? null
      : channel === 2
        ? `${bankCode}${rng.int(1_000, 9_999)}${n}`
        : `${rng.int(1_000, 9_999)}${n}`,
    upi_enc: upi === null ? null : secrets.seal('repay_record.upi_enc', id, upi),
    upi_masked: upi === null ? null : maskUpi(upi),
    channel,
    bank_code: bankCode,
    pay_state: isReturned ? 'fail' : doneAt === null ? 'inProgress' : 'success',
    fail_reason: isReturned ? 'Insufficient balance' : null,
    bounce_charge: bounceCharge ?? 0,
    source: 'callback',
    paid_at: payment.at,
    confirmed_at: isReturned ? null : doneAt,
    operator_name: CHANNEL.name,
    confirmer_name: doneAt === null || isReturned ? null : CHANNEL.name,
    vendor_code: CHANNEL.name,
    vendor_order_no: `PC${n}`,
    created_at: payment.at,
    updated_at: doneAt ?? payment.at,
    version: doneAt === null ? 1 : 2,
  })
}
