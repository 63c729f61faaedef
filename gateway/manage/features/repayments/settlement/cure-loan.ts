/**
 * Cures a bad debt: its amount is paid in agreed parts; one person requests, another approves, 90
 * → 50.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { PAYMENT_OPEN } from '#shared/repayments/repayment-problems.ts'
import {
  faultOfSettlement,
  type SettlementRow,
  sumOfRows,
} from '#shared/repayments/settlement-plan.ts'
import type { cureOrder } from '#shared/repayments/settlements-api.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type Approval,
  type ApprovalKind,
  requestApproval,
} from '#gateway/manage/features/approvals/public.ts'
import { moveOrder, orderRoomsOf } from '#gateway/manage/features/orders/public.ts'
import { lockLoanInScope } from '../booking/book-payment.ts'
import { dueOn } from '../count-payment.ts'
import { type Loan, lockLoan, statusBeforePayment } from '../loan-store.ts'
import { writePlans } from '../write-plans.ts'
import type { WhenDayOpened } from '../open-day.ts'
import { postEntries } from '../post-entries.ts'
import { snapshotFacts } from '../order-snapshot.ts'
import { isBusy } from '../writeoffs/write-off-loan.ts'
import { countCure } from './count-cure.ts'
import { insertSettlement } from './settlement-store.ts'

const CURE = { kind: 'cure', menu: 'order_list', approveCode: 'order_list:approve' } as const

/** @param whenCured case changes of the day's opening, because the order's overdue days change */
export function cureApproval(whenCured: readonly WhenDayOpened[]): ApprovalKind {
  return {
    ...CURE,
    orderIds: ({ target_id: orderId }) => [orderId],
    snapshot: (trx, { target_id: orderId }) => snapshotFacts(trx, orderId),
    planOf: planIn,
    async carryOut(tx, { id: approvalId, target_id: orderId, payload, reason }) {
      const loan = await lockLoan(tx.db, orderId)
      if (!loan) throw new Problem(NOT_FOUND)
      await cure(
        tx,
        loan,
        { approvalId, rows: planIn({ payload }), asOf: String(payload.asOf), reason },
        whenCured,
      )
    },
  }
}

/** As checked and stored with the request. */
function planIn({ payload }: Pick<Approval, 'payload'>): SettlementRow[] {
  return payload.plan as SettlementRow[]
}

/** Requests the cure. @throws Problem G404, G409, O-STATE, M-OPEN, G-FIELD (plan), A-OPEN */
export async function requestCure(
  tx: CommandTx,
  { orderId, version, plan, reason }: InputOf<typeof cureOrder>,
): Promise<string> {
  const loan = await lockLoanInScope(tx, orderId)
  await checkBadDebt(tx, loan)
  if (loan.version !== version)
    throw await changedByOther(tx.db, 'order', orderId, { orderId, version: loan.version })
  const today = istDay(await tx.now())
  const due = dueOn(loan, today)
  const wrong = faultOfSettlement(plan, { today, due })
  if (wrong)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { plan: `repayments:fault.settlement.${wrong.fault}` }, row: wrong.at, due },
    )
  const approval = await requestApproval(tx, CURE, {
    targetKind: 'order',
    targetId: orderId,
    payload: { plan, asOf: today },
    amount: due,
    count: 1,
    reason,
  })
  tx.log({
    action: 'requestCure',
    targetKind: 'order',
    targetId: orderId,
    after: { approvalId: approval.id, rows: plan.length, total: due, reason },
  })
  return approval.id
}

async function checkBadDebt(tx: CommandTx, loan: Loan): Promise<void> {
  if (loan.status === 43 && statusBeforePayment(loan) === 90) throw new Problem(PAYMENT_OPEN)
  if (loan.status !== 90) throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  if (await isBusy(tx.db, loan.orderId)) throw new Problem(PAYMENT_OPEN)
}

interface Agreed {
  approvalId: string
  rows: SettlementRow[]
  /** IST day of the request. */
  asOf: string
  reason: string
}

/**
 * @throws Problem O-STATE, M-OPEN; O-RULE (reason settlementOverdue, settlementSum) when a row fell
 * due, or the debt changed, since the request
 */
async function cure(
  tx: CommandTx,
  loan: Loan,
  { approvalId, rows, asOf, reason }: Agreed,
  whenCured: readonly WhenDayOpened[],
): Promise<void> {
  const { orderId } = loan
  await checkBadDebt(tx, loan)
  const today = istDay(await tx.now())
  const isCurrent = rows.every(({ dueTime }) => dueTime >= today)
  if (!isCurrent) throw new Problem(ORDER_RULE, { reason: 'settlementOverdue' })
  if (dueOn(loan, asOf) !== sumOfRows(rows))
    throw new Problem(ORDER_RULE, { reason: 'settlementSum' })
  const out = countCure(loan, { asOf, today, refId: approvalId })
  const rooms = await orderRoomsOf(tx.db, [orderId])
  await postEntries(tx.db, out.postings)
  await writePlans(tx, out.changed, rooms)
  const settlementId = await insertSettlement(tx.db, { orderId, approvalId, rows, asOf })
  const moved = await moveOrder(
    tx,
    orderId,
    { type: 'CURE', settlementPlanCurrent: isCurrent },
    { cause: 'cure', note: reason, set: { outstanding: out.outstanding, overdue_days: 0 } },
  )
  for (const run of whenCured) await run(tx, { day: today, orderIds: [orderId] })
  tx.log({
    menu: CURE.menu,
    action: 'cure',
    targetKind: 'order',
    targetId: orderId,
    before: { status: loan.status, outstanding: loan.outstanding, overdueDays: loan.overdueDays },
    after: {
      status: moved.to,
      outstanding: out.outstanding,
      overdueDays: 0,
      settlementId,
      approvalId,
      rows: rows.length,
    },
  })
}
