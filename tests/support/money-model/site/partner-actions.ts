/** What partners report: the customers' app, the machine review, the payout vendor, a channel. */
import { sql } from 'kysely'
import {
  inboundApplication,
  inboundCancel,
  inboundMachineReview,
  inboundPayout,
} from '#shared/orders/inbound-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import type { Action } from '../actions.ts'
import type { Calls } from './calls.ts'
import { LOAN_PRODUCTS, type Product } from './product.ts'
import { paidAt, REASON, recordOf, type SiteState, utrOf, vendorNoOf } from './site-state.ts'
import type { Known } from './stored-orders.ts'

export type PartnerAction = Extract<
  Action,
  { kind: 'judge' | 'payout' | 'contradictPayout' | 'cancel' | 'pay' | 'contradict' }
>

/** A new order of the borrower. */
export async function apply(
  state: SiteState,
  { borrower, amount }: Extract<Action, { kind: 'apply' }>,
  { report }: Calls,
): Promise<string> {
  const n = state.people + borrower
  const { product } = state
  const application = makeApplication(n, {
    productId: LOAN_PRODUCTS[borrower] ?? '',
    amount,
    kfsAcceptTime: await paidAt(product, null),
  })
  const outcome = await report(inboundApplication, application)
  if (outcome === 'ok') state.orders[borrower] = await newestOf(product, `Ravi Kumar ${n}`)
  return outcome
}

async function newestOf({ database }: Product, customer: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o join customer c on c.id = o.customer_id
    where c.name = ${customer} order by o.created_at desc limit 1`.execute(database.kysely)
  return rows[0]?.id ?? null
}

export async function performAsPartner(
  state: SiteState,
  { orderId, reviewId }: Known,
  action: PartnerAction,
  { report }: Calls,
): Promise<string> {
  const { product } = state
  switch (action.kind) {
    case 'judge': {
      const { result } = action
      return report(inboundMachineReview, {
        reviewId,
        machineId: 'M1',
        result,
        needManual: result === 'undecided',
        rules: [],
        ...(result === 'failed' ? { refusalCode: 'R01' } : {}),
        ...(result === 'limitFailed' ? { limit: 100 } : {}),
      })
    }
    case 'payout':
    case 'contradictPayout':
      return report(inboundPayout, {
        platformOrderNo: `${orderId}-${action.attempt}`,
        vendorOrderNo: `V-${orderId}-${action.attempt}`,
        result: action.result,
        ...(action.result === 'success'
          ? { utr: '123456789012' }
          : { failReason: 'Beneficiary account closed' }),
      })
    case 'cancel':
      return report(inboundCancel, { orderId, reason: REASON })
    case 'pay': {
      const { payment, amount, day, result, utrOf: used } = action
      state.payments = Math.max(state.payments, payment + 1)
      return report(inboundPayment, {
        vendorOrderNo: vendorNoOf(payment),
        orderId,
        amount,
        channel: 1,
        result,
        ...(result === 'fail' ? { failReason: 'No balance' } : {}),
        ...(result === 'success' || used !== null ? { utr: utrOf(used ?? payment) } : {}),
        ...(day === null ? {} : { payTime: await paidAt(product, day) }),
      })
    }
    case 'contradict': {
      const { payment, result } = action
      const { amount } = await recordOf(product, payment)
      return report(inboundPayment, {
        vendorOrderNo: vendorNoOf(payment),
        orderId,
        amount,
        channel: 1,
        result,
        ...(result === 'fail' ? { failReason: 'Recalled' } : { utr: utrOf(payment) }),
      })
    }
  }
}
