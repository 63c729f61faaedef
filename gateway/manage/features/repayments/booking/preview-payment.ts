/**
 * Previews a payment by executing it - record, allocation, ledger, order, case, promise - and
 * rolling it back. The preview therefore uses the same code as the payment, also for a payment made
 * days ago.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import { istDay } from '#shared/kernel/time.ts'
import type {
  previewConfirmation,
  previewPayment as call,
} from '#shared/repayments/repayments-api.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { Actor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { couponOfRecord, readCouponGrants } from '#gateway/manage/features/coupons/public.ts'
import { rehearse } from '#gateway/manage/kernel/rehearse.ts'
import { clearedParts } from '../lists/payment-rows.ts'
import type { WhenPaid } from '../paid-order.ts'
import { settlePayment } from '../settle-payment.ts'
import { type OrderSnapshot, snapshotOf } from '../order-snapshot.ts'
import { bookPayment, dueFor, lockLoanInScope } from './book-payment.ts'
import { lockPayment, receiveMoney } from './confirm-payment.ts'

type Preview = DataOf<typeof call>

/** Placeholder while no UTR is entered; no transfer has this value. */
const NO_UTR = 'PREVIEW'

/** @throws Problem as the booking does */
export async function previewPayment(
  context: AppContext,
  actor: Actor,
  { orderId, repaymentType, amount, payTime, couponGrantId, ahead }: InputOf<typeof call>,
  whenPaid: readonly WhenPaid[],
): Promise<Preview> {
  return rehearse(context, actor, async (tx) => {
    const loan = await lockLoanInScope(tx, orderId)
    const before = await snapshotOf(tx.db, orderId)
    const terms = couponGrantId === undefined ? null : await termsOfGrant(tx.db, couponGrantId)
    const due = await dueFor(tx.db, loan, repaymentType, payTime, terms)
    const record = await bookPayment(tx, loan, {
      orderId,
      repaymentType,
      amount,
      payTime,
      utr: NO_UTR,
      upi: '-',
      channel: 2,
      bankCode: 'NONE',
      couponGrantId,
      ahead,
    })
    // after the booking the order is in 43 with its previous status stored
    const booked = await lockLoanInScope(tx, orderId)
    const settled = await settlePayment(tx, booked, record, NO_UTR, whenPaid)
    return previewOf(
      tx.db,
      { orderId, recordId: record.id, valueDay: istDay(payTime), due, surplus: settled.surplus },
      before,
    )
  })
}

/** @throws Problem as the confirmation does */
export async function previewConfirm(
  context: AppContext,
  actor: Actor,
  { recordId }: InputOf<typeof previewConfirmation>,
  whenPaid: readonly WhenPaid[],
): Promise<Preview> {
  return rehearse(context, actor, async (tx) => {
    const { loan, record } = await lockPayment(tx, recordId)
    const orderId = record.told_order_id
    const before = await snapshotOf(tx.db, orderId)
    const grant = await couponOfRecord(tx.db, recordId)
    const { repayment_type: type, paid_at: paidAt } = record
    const due = loan === null ? 0 : await dueFor(tx.db, loan, type, paidAt, grant?.terms)
    const settled = await receiveMoney(tx, loan, record, whenPaid)
    return previewOf(
      tx.db,
      { orderId, recordId, valueDay: istDay(record.paid_at), due, surplus: settled.surplus },
      before,
    )
  })
}

async function termsOfGrant(trx: Trx, grantId: string): Promise<CouponTerms | null> {
  const [grant] = await readCouponGrants(trx, sql<boolean>`g.id = ${grantId}`)
  return grant?.terms ?? null
}

interface Payment extends Pick<Preview, 'orderId' | 'valueDay' | 'due' | 'surplus'> {
  recordId: string
}

async function previewOf(
  trx: Trx,
  { recordId, ...payment }: Payment,
  before: OrderSnapshot,
): Promise<Preview> {
  const after = await snapshotOf(trx, payment.orderId)
  const { rows } = await sql<{ plan_id: string; cleared: Preview['plans'][number]['cleared'] }>`
    select e.plan_id, json_build_object(${clearedParts('e')}) as cleared from ledger_entry e
    where e.order_id = ${payment.orderId} and e.ref_id = ${recordId}
      and (e.kind in ('repayment', 'coolingOffExit')
      or (e.kind = 'rollover' and e.account = 'fineReceivable')) and e.plan_id is not null
      group by e.plan_id`.execute(trx)
  const following = await sql<{ successor: Preview['successor'] }>`
    select json_build_object('amount', n.amount, 'outstanding', n.outstanding, 'dueTime',
      n.due_at::text) as successor from loan_order n where n.from_order_id = ${payment.orderId}`.execute(
    trx,
  )
  const grant = await couponOfRecord(trx, recordId)
  const recounted = await recountedNow(trx, payment.orderId)
  const cleared = new Map(rows.map((row) => [row.plan_id, row.cleared]))
  const plans = after.plans.flatMap((then): Preview['plans'] => {
    // money ahead of an EMI loan brings rows of its own, with nothing open
    const plan = before.plans.find(({ planId }) => planId === then.planId) ?? {
      ...then,
      outstanding: 0,
      overdueFine: 0,
    }
    const isSame = JSON.stringify(plan) === JSON.stringify(then)
    if (isSame && !cleared.has(then.planId)) return []
    const both = <Name extends 'paymentStatus' | 'overdueDays' | 'overdueFine' | 'outstanding'>(
      name: Name,
    ) => ({ before: plan[name], after: then[name] })
    return [
      {
        planId: then.planId,
        serialNo: then.serialNo,
        kind: then.kind,
        dueTime: then.dueTime,
        paymentStatus: both('paymentStatus'),
        overdueDays: both('overdueDays'),
        overdueFine: both('overdueFine'),
        outstanding: both('outstanding'),
        cleared: cleared.get(plan.planId) ?? {
          principal: 0,
          interest: 0,
          serviceFee: 0,
          overdueFine: 0,
        },
      },
    ]
  })
  return {
    ...payment,
    couponed: grant?.amount ?? 0,
    successor: following.rows[0]?.successor ?? null,
    status: { before: before.status, after: after.status },
    outstanding: { before: before.outstanding, after: after.outstanding },
    overdueDays: { before: before.overdueDays, after: after.overdueDays },
    // money ahead is due on its day and numbered last
    plans: plans.toSorted((a, b) => a.serialNo - b.serialNo),
    toCome: toComeOf(after),
    recounted,
    case: caseOf(before, after),
  }
}

/** The next one may be paid in part, and of an EMI loan its interest follows the days. */
function toComeOf({ plans }: OrderSnapshot): Preview['toCome'] {
  const [, second, ...others] = plans.filter(({ outstanding }) => outstanding > 0)
  if (second === undefined) return null
  return { instalment: second.outstanding, until: (others.at(-1) ?? second).dueTime }
}

/** Other payments whose allocation this transaction changed, oldest first. */
async function recountedNow(trx: Trx, orderId: string): Promise<Preview['recounted']> {
  const { rows } = await sql<Preview['recounted'][number]>`
    select e.ref_id as "recordId", r.paid_at as "payTime", p.serial_no as "serialNo",
      json_build_object(${clearedParts('e')}) as change,
      coalesce(sum(e.credit - e.debit) filter (where e.account = 'customerCredit'), 0)::bigint as credit
    from ledger_entry e join repay_record r on r.id = e.ref_id
      left join repay_plan p on p.id = e.plan_id
    where e.order_id = ${orderId} and e.kind = 'reallocation'
      and e.written_in = pg_current_xact_id()
    group by e.ref_id, r.paid_at, p.serial_no
    order by r.paid_at, e.ref_id, p.serial_no nulls last`.execute(trx)
  return rows
}

/** The case was open; the next opening of the day moves it to the stage of its days. */
function caseOf(before: OrderSnapshot, after: OrderSnapshot): Preview['case'] {
  if (before.case === null || before.case.state === 'closed') return null
  const isOver = after.case === null || after.case.state === 'closed'
  return {
    caseId: before.case.caseId,
    stage: {
      before: before.case.stageId,
      after: isOver ? null : (after.stageOfDays ?? before.case.stageId),
    },
    promise: { before: before.case.ptpState, after: after.case?.ptpState ?? null },
  }
}
