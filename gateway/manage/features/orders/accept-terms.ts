/** The borrower's acceptance of terms that were changed after the application. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { inboundAccept, inboundTerms } from '#shared/orders/inbound-api.ts'
import { ORDER_RULE, ORDER_STATE, OTHER_TERMS } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { OPEN_TO_TERMS } from './order-terms.ts'
import { emitOrder } from './emit-order.ts'
import { CLOCK_SLACK_MS } from './submit-application.ts'

/** @throws Problem G404 */
export async function termsOfOrder(db: Db, orderId: string): Promise<DataOf<typeof inboundTerms>> {
  const { rows } = await sql<DataOf<typeof inboundTerms>>`
    select o.id as "orderId", o.status, o.amount, o.arrival_amount as arrival,
      o.service_charge as "serviceCharge", o.interest, o.contract_amount as contract,
      o.tenure_days as "tenureDays", o.term,
      o.kfs_accepted_at is null and o.status = any(${[...OPEN_TO_TERMS]}::int[]) as "needsAcceptance"
    from loan_order o where o.id = ${orderId}`.execute(db)
  const [terms] = rows
  if (!terms) throw new Problem(NOT_FOUND)
  return terms
}

/**
 * An acceptance of the present terms lets the order be paid out; a late one of former terms does not.
 * Terms that are accepted already stay so.
 * @throws Problem G404, O-STATE when it is paid out or closed, O-TERMS, O-RULE kfsNotAccepted for a
 * time that has not come
 */
export async function acceptTerms(
  tx: CommandTx,
  { orderId, kfsVersion, kfsAcceptTime, contract, tenureDays, term }: InputOf<typeof inboundAccept>,
): Promise<DataOf<typeof inboundAccept>> {
  const { rows } = await sql<{ status: OrderStatus; isSame: boolean; isAccepted: boolean }>`
    select o.status, o.kfs_accepted_at is not null as "isAccepted",
      (o.contract_amount, o.tenure_days, o.term)
        = (${contract}::bigint, ${tenureDays}::int, ${term}::int) as "isSame"
    from loan_order o where o.id = ${orderId} for update`.execute(tx.db)
  const [order] = rows
  if (!order) throw new Problem(NOT_FOUND)
  const { status } = order
  if (!OPEN_TO_TERMS.includes(status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(status) })
  if (!order.isSame) throw new Problem(OTHER_TERMS)
  if (Date.parse(kfsAcceptTime) > Date.parse(await tx.now()) + CLOCK_SLACK_MS)
    throw new Problem(ORDER_RULE, { reason: 'kfsNotAccepted' })
  if (order.isAccepted) return { orderId, status }
  const { rows: changed } = await sql<{ version: number }>`
    update loan_order o set kfs_version = ${kfsVersion}, kfs_accepted_at = ${kfsAcceptTime},
      updated_at = clock_timestamp(), version = o.version + 1
    where o.id = ${orderId} returning o.version`.execute(tx.db)
  await emitOrder(tx, orderId, changed[0]?.version ?? 1, ['kfsVersion', 'kfsAcceptTime'])
  tx.log({
    action: 'acceptTerms',
    targetKind: 'order',
    targetId: orderId,
    after: { kfsVersion, contract, tenureDays, term },
  })
  tx.afterCommit(() => tx.context.wakeSchedule('payoutDispatch'))
  return { orderId, status }
}
