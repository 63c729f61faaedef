/** A link to pay an amount of an instalment, to the borrower's own number (screens.md 1.6, 1.8). */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { LINK_HOURS } from '#shared/repayments/link-sets.ts'
import type { sendLink as call } from '#shared/repayments/links-api.ts'
import { AMOUNT_WRONG } from '#shared/repayments/repayment-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { messageOfCase } from '#gateway/manage/features/collection/public.ts'
import { lockLoanInScope } from '../booking/book-payment.ts'
import { outstandingOf } from '../loan-store.ts'
import { isRunning } from '../settle-payment.ts'

/** @throws Problem G404, O-STATE, M-AMT; of an order with an open case also C-OWN, C-POOL, C-STOP, C-HELD, C-TOLD, C-HOL, C-WIN, and C-LIM, C-LIMW, C-GAP without a contact of the sender's own just before */
export async function sendLink(
  cx: Cx,
  { planId, amount, way }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { userId, userName } = staff(cx.actor)
  const { rows: found } = await sql<{
    order_id: string
  }>`select p.order_id from repay_plan p where p.id = ${planId}`.execute(cx.db)
  const loan = await lockLoanInScope(cx, found[0]?.order_id ?? '')
  const plan = loan.plans.find((one) => one.planId === planId)
  if (!plan) throw new Problem(NOT_FOUND)
  if (!isRunning(loan.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  const due = outstandingOf(plan)
  if (amount > due)
    throw new Problem(
      AMOUNT_WRONG,
      { rule: 'atMost', amount: due },
      { fields: { amount: 'repayments:fault.linkAmount' }, due },
    )
  const caseId = await messageOfCase(cx, loan.orderId, way)
  const { rows } = await sql<{ id: string; expires: string }>`
    insert into payment_link as x (order_id, plan_id, customer_id, case_id, amount, way, sent_by, sent_by_name, created_at, expires_at)
    values (${loan.orderId}, ${planId}, ${loan.customerId}, ${caseId}, ${amount}, ${way}, ${userId}, ${userName}, clock_timestamp(), clock_timestamp() + make_interval(hours => ${LINK_HOURS}))
    returning x.id, ${isoTime('x.expires_at')} as expires`.execute(cx.db)
  const { id, expires } = rows[0] as { id: string; expires: string }
  cx.log({
    action: 'sendLink',
    targetKind: 'order',
    targetId: loan.orderId,
    after: { linkId: id, planId, amount, way, caseId },
  })
  cx.afterCommit(() => cx.house.wakeSchedule('paymentLink'))
  return { linkId: id, expiresAt: expires }
}
