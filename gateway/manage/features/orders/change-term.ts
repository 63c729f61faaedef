/**
 * Another term for an application that is not paid out yet: its amounts follow. The borrower accepted
 * the former term in the key fact statement, so that acceptance is void and the payout waits for the
 * next one; an offer that nobody accepts expires. EMI loans keep their agreement.
 */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATE, TERM_KEPT } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { amountsOf } from './amounts-of.ts'
import { emitOrder } from './emit-order.ts'
import { OPEN_TO_TERMS, type OrderTerms } from './order-terms.ts'

/** Days to the last instalment, and how many there are: each has the same number of days. */
export interface NewTerm {
  tenureDays: number
  term: number
}

const FIELDS = ['tenureDays', 'term', 'interest', 'contractAmount', 'kfsAcceptTime']

interface Locked {
  status: OrderStatus
  amount: number
  terms: OrderTerms
  tenureDays: number
  term: number
  interest: number
}

/** @throws Problem G404, O-STATE when it is paid out or closed, O-TERM for an EMI loan or the same term */
export async function changeTerm(
  tx: CommandTx,
  orderId: string,
  { tenureDays, term }: NewTerm,
): Promise<void> {
  const { rows } = await sql<Locked>`
    select o.status, o.amount, o.product_snapshot as terms, o.tenure_days as "tenureDays", o.term, o.interest
    from loan_order o where o.id = ${orderId} for update`.execute(tx.db)
  const [order] = rows
  if (!order) throw new Problem(NOT_FOUND)
  if (!OPEN_TO_TERMS.includes(order.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(order.status) })
  const isSame = order.tenureDays === tenureDays && order.term === term
  if (order.terms.emi !== undefined || isSame) throw new Problem(TERM_KEPT)
  const offered = { periods: term, daysPerPeriod: tenureDays / term }
  const amounts = amountsOf(order.amount, { ...order.terms, ...offered }, istDay(await tx.now()))
  const { rows: changed } = await sql<{ version: number }>`
    update loan_order o set tenure_days = ${amounts.tenureDays}, term = ${term},
      interest = ${amounts.interest}, contract_amount = ${amounts.contract}, kfs_accepted_at = null,
      product_snapshot = o.product_snapshot || ${JSON.stringify(offered)}::jsonb,
      updated_at = clock_timestamp(), version = o.version + 1
    where o.id = ${orderId} returning o.version`.execute(tx.db)
  await emitOrder(tx, orderId, changed[0]?.version ?? 1, FIELDS)
  tx.log({
    action: 'changeTerm',
    targetKind: 'order',
    targetId: orderId,
    before: { tenureDays: order.tenureDays, term: order.term, interest: order.interest },
    after: { tenureDays: amounts.tenureDays, term, interest: amounts.interest },
  })
}
