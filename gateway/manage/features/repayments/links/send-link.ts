/** Sends a link to pay an amount of an instalment to the borrower's own number. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { LINK_HOURS } from '#shared/repayments/link-sets.ts'
import type { sendLink as call } from '#shared/repayments/links-api.ts'
import { AMOUNT_WRONG } from '#shared/repayments/repayment-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { messageOfCase } from '#gateway/manage/features/collection/public.ts'
import { lockLoanInScope } from '../booking/book-payment.ts'
import { outstandingOf } from '../loan-store.ts'
import { isRunning } from '../paid-order.ts'

/**
 * @throws Problem G404, O-STATE, M-AMT; for an order with an open case also C-OWN, C-POOL, C-STOP,
 * C-HELD, C-TOLD, C-HOL, C-WIN, and C-LIM, C-LIMW, C-GAP unless the sender contacted the borrower
 * just before
 */
export async function sendLink(
  tx: CommandTx,
  { planId, amount, way }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { userId, userName } = staff(tx.actor)
  const { rows: found } = await sql<{
    order_id: string
  }>`select p.order_id from repay_plan p where p.id = ${planId}`.execute(tx.db)
  const loan = await lockLoanInScope(tx, found[0]?.order_id ?? '')
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
  const caseId = await messageOfCase(tx, loan.orderId, way)
  const { rows } = await sql<{ id: string; expires: string }>`
    insert into payment_link as x (order_id, plan_id, customer_id, case_id, amount, way, sent_by,
      sent_by_name, created_at, expires_at)
    values (${loan.orderId}, ${planId}, ${loan.customerId}, ${caseId}, ${amount}, ${way}, ${userId},
      ${userName}, clock_timestamp(), clock_timestamp() + make_interval(hours => ${LINK_HOURS}))
    returning x.id, ${isoTime('x.expires_at')} as expires`.execute(tx.db)
  const { id, expires } = rows[0] as { id: string; expires: string }
  tx.log({
    action: 'sendLink',
    targetKind: 'order',
    targetId: loan.orderId,
    after: { linkId: id, planId, amount, way, caseId },
  })
  tx.afterCommit(() => tx.context.wakeSchedule('paymentLink'))
  return { linkId: id, expiresAt: expires }
}
