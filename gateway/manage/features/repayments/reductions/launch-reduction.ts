/** LAUNCH: requests a reduction of the fines and fees of an overdue order. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import {
  capOf,
  faultOfItems,
  MOST_VALID_DAYS,
  sumOfItems,
} from '#shared/repayments/reduction-sets.ts'
import type { launchReduction as call } from '#shared/repayments/reductions-api.ts'
import { ABOVE_CAP, PAYMENT_OPEN } from '#shared/repayments/repayment-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockLoanInScope } from '../booking/book-payment.ts'
import { openFees } from './count-reduction.ts'
import { capPercents, launchersAbove } from './reduction-limit.ts'
import { type ReduceRow, reductionRow } from './reduction-rows.ts'
import { lockReduction, emitReduction } from './reduction-store.ts'

/**
 * @throws Problem G404, G409, O-STATE, M-OPEN, G-FIELD (parts, validity), M-CAP with `data.roles`,
 * O-RULE (reason nothingToPay, settlementRuns)
 */
export async function launchReduction(
  tx: CommandTx,
  { orderId, planId, version, reduceItems, validUntil, reason }: InputOf<typeof call>,
): Promise<ReduceRow> {
  const actor = staff(tx.actor)
  const loan = await lockLoanInScope(tx, orderId)
  if (loan.status !== 50 && loan.status !== 90)
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  if (loan.settlement !== null) throw new Problem(ORDER_RULE, { reason: 'settlementRuns' })
  if (loan.version !== version)
    throw await changedByOther(tx.db, 'order', orderId, { orderId, version: loan.version })
  if (!loan.plans.some((plan) => plan.planId === planId))
    throw new Problem(INVALID_FIELDS, {}, { fields: { planId: 'unknown' } })
  const today = istDay(await tx.now())
  if (validUntil < today || validUntil > addDays(today, MOST_VALID_DAYS))
    throw new Problem(
      INVALID_FIELDS,
      {},
      {
        fields: {
          validUntil:
            validUntil < today ? 'repayments:fault.validPast' : 'repayments:fault.validTooFar',
        },
      },
    )
  const { open, due } = openFees(loan, today)
  const amount = sumOfItems(reduceItems)
  const fault = faultOfItems(reduceItems, open)
  if (amount < 1)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { overdueFine: 'repayments:fault.reduceNothing' } },
    )
  if (fault)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { [fault.part]: `repayments:fault.reduce.${fault.fault}` } },
    )
  const percents = await capPercents(tx.db)
  const cap = capOf(open, percents.get(actor.rights.roleMark) ?? 0)
  if (amount > cap)
    throw new Problem(
      ABOVE_CAP,
      { amount: cap },
      { roles: (await launchersAbove(tx.db, percents, open, amount - 1)).map(({ role }) => role) },
    )
  // an order is settled by a payment, so something must remain to be paid
  if (due - amount < 1) throw new Problem(ORDER_RULE, { reason: 'nothingToPay' })
  const { rows } = await sql<{ id: string }>`
    insert into reduction (order_id, plan_id, customer_id, items, amount_due, reduce_amount, pay_amount,
      cap_amount, valid_until, reason, launched_by, launched_by_name, launched_role, case_id, stage_id,
      agency_id, department_id, group_id, collector_id)
    select ${orderId}, ${planId}, ${loan.customerId}, ${JSON.stringify(reduceItems)}::jsonb, ${due},
      ${amount}, ${due - amount}, ${cap}, ${validUntil}, ${reason}, ${actor.userId}, ${actor.userName},
      ${actor.rights.roleMark},
      c.id, c.stage_id, c.agency_id, c.department_id, c.group_id, c.collector_id
    from (select 1) one left join collection_case c on c.order_id = ${orderId} and c.state <> 'closed'
    on conflict do nothing returning id`.execute(tx.db)
  const reduceId = rows[0]?.id
  if (reduceId === undefined) throw new Problem(PAYMENT_OPEN)
  const launched = await lockReduction(tx.db, reduceId)
  if (launched) await emitReduction(tx, launched)
  tx.log({
    action: 'launchReduction',
    targetKind: 'order',
    targetId: orderId,
    after: { reduceId, reduceItems, amount, cap, validUntil, reason },
  })
  // written above in the same transaction
  return (await reductionRow(tx.db, reduceId)) as ReduceRow
}
