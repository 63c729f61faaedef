/** What staff do on their screens. */
import { sql } from 'kysely'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import { grantCoupon, revokeGrants } from '#shared/coupons/coupons-api.ts'
import {
  bookStrayReturn,
  cancelDisbursement,
  redisburse,
  resolveTransfer,
} from '#shared/orders/disbursement-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import {
  decideReductions,
  launchReduction,
  revokeReduction,
  withdrawReduction,
} from '#shared/repayments/reductions-api.ts'
import {
  addRecord,
  confirmRecord,
  keepRecord,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { batchWriteOff, launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { claimReviews, decideReview, openReview } from '#shared/review/review-api.ts'
import type { Action } from '../actions.ts'
import type { Calls } from './calls.ts'
import type { PartnerAction } from './partner-actions.ts'
import type { Product } from './product.ts'
import { customerOf, paidAt, REASON, recordOf, type SiteState, utrOf } from './site-state.ts'
import type { Known } from './stored-orders.ts'

type StaffAction = Exclude<Action, PartnerAction | { kind: 'day' | 'dispatch' | 'apply' }>

export async function performAsStaff(
  state: SiteState,
  known: Known,
  action: StaffAction,
  calls: Calls,
): Promise<string> {
  const { product } = state
  const { orderId, version } = known
  const { send } = calls
  const reason = REASON
  switch (action.kind) {
    case 'review':
      return review(product, known, action.result, calls)
    case 'redisburse':
      return send('manager', redisburse, { orderIds: [orderId] })
    case 'cancelDisbursement':
      return send('manager', cancelDisbursement, { orderIds: [orderId], reason })
    case 'resolve':
      return send('manager', resolveTransfer, {
        ...transferOf(known, action),
        outcome: action.type,
        utr: nextUtr(state),
        reason,
      })
    case 'returnStray':
      return send('manager', bookStrayReturn, {
        ...transferOf(known, action),
        amount: action.amount,
        utr: nextUtr(state),
        reason,
      })
    case 'grant':
      return send('manager', grantCoupon, {
        couponId: product.coupons[action.coupon],
        userIds: [await customerOf(product, orderId)],
      })
    case 'revokeCoupon': {
      const grantIds = [known.coupons[action.coupon]?.id]
      return send('manager', revokeGrants, { grantIds, reason })
    }
    case 'book':
      return book(state, known, action, calls)
    case 'confirm':
      return confirm(state, known, action, calls)
    case 'keep':
      return send('manager', keepRecord, { ...(await recordRef(product, action)), reason })
    case 'reverse':
      return send('manager', reverseRecord, {
        ...(await recordRef(product, action)),
        cause: 'bounced',
        reason,
      })
    case 'launch':
      return send('manager', launchReduction, {
        orderId,
        planId: known.planId ?? 'P0',
        version,
        reduceItems: { overdueFine: action.fine, serviceFee: 0, interest: action.interest },
        validUntil: product.dayOf(state.today + action.days),
        reason,
      })
    case 'decide':
      return send(action.who, decideReductions, {
        reduceIds: [known.reduction?.id],
        result: action.result,
        reason,
      })
    case 'revoke':
      return send(action.who, revokeReduction, { ...reductionRef(known), reason })
    case 'withdraw':
      return send(action.who, withdrawReduction, reductionRef(known))
    case 'cure':
      return send('manager', cureOrder, {
        orderId,
        version,
        plan: action.rows.map(({ due, amount }) => ({ dueTime: product.dayOf(due), amount })),
        reason,
      })
    case 'writeOff':
      return send(action.who, launchWriteOff, {
        orderId,
        version,
        type: 'operational',
        repaymentDate: product.dayOf(state.today),
        amount: action.amount,
        reason,
      })
    case 'batchWriteOff':
      return send('manager', batchWriteOff, { orderIds: [orderId], reason })
    case 'decideRequest':
      return decideRequest(product, known, action, calls)
  }
}

async function review(
  { database, manage }: Product,
  { reviewId }: Known,
  result: 'passed' | 'failed',
  { send }: Calls,
): Promise<string> {
  const claimed = await send('reviewer', claimReviews, { reviewIds: [reviewId] })
  if (claimed !== 'ok') return claimed
  const at = async () => {
    const { rows } = await sql<{ version: number; token: number }>`
      select r.version, r.token from review r where r.id = ${reviewId}`.execute(database.kysely)
    return rows[0]
  }
  await send('reviewer', openReview, { reviewId, ...(await at()) })
  const decided = await send('reviewer', decideReview, {
    reviewId,
    ...(await at()),
    result,
    ...(result === 'failed' ? { rejectCode: 'A01' } : {}),
  })
  await manage.settle()
  return decided
}

async function book(
  state: SiteState,
  { orderId, version, coupons }: Known,
  { payment, who, type, amount, day, utrOf: used, coupon }: Extract<Action, { kind: 'book' }>,
  { send }: Calls,
): Promise<string> {
  state.payments = Math.max(state.payments, payment + 1)
  const paid = {
    orderId,
    version,
    amount,
    utr: utrOf(used ?? payment),
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
    payTime: await paidAt(state.product, day),
  }
  if (type === 'coolingOff') return send(who, exitCoolingOff, paid)
  return send(who, addRecord, {
    ...paid,
    repaymentType: type,
    ...(coupon === null ? {} : { couponGrantId: coupons[coupon]?.id }),
  })
}

async function confirm(
  { product, orders }: SiteState,
  { orderId }: Known,
  action: Extract<Action, { kind: 'confirm' }>,
  { send }: Calls,
): Promise<string> {
  const { who, result, type, borrower } = action
  const outcome = await send(who, confirmRecord, {
    ...(await recordRef(product, action)),
    result,
    ...(result === 'fail' ? { failReason: 'Never arrived' } : {}),
  })
  if (type === 'rollover') orders[borrower] = await successorOf(product, orderId)
  return outcome
}

async function decideRequest(
  { manage }: Product,
  { requests }: Known,
  { who, request: index, result }: Extract<Action, { kind: 'decideRequest' }>,
  { send }: Calls,
): Promise<string> {
  const { id: approvalId, version } = requests[index] as Known['requests'][number]
  const outcome = await send(who, decideApproval, { approvalId, version, result, reason: REASON })
  // A batch is processed row by row, in the background.
  await manage.settle()
  return outcome
}

/** The order that took over its open amount, or itself. */
async function successorOf({ database }: Product, orderId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select x.new_order_id as id from extension x where x.order_id = ${orderId}`.execute(
    database.kysely,
  )
  return rows[0]?.id ?? orderId
}

async function recordRef(product: Product, { payment }: { payment: number }) {
  const { id: recordId, version } = await recordOf(product, payment)
  return { recordId, version }
}

function reductionRef({ reduction }: Known) {
  return { reduceId: reduction?.id, version: reduction?.version }
}

function transferOf({ transfers }: Known, { attempt }: { attempt: number }) {
  const transfer = transfers[attempt - 1]
  return { transferId: transfer?.id, version: transfer?.version }
}

function nextUtr(state: SiteState): string {
  state.transfers += 1
  return String(600_000_000_000 + state.transfers)
}
