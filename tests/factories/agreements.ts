/** Agreements with borrowers who cannot pay at once: a bad debt paid in parts, an extended loan. */
import { sql } from 'kysely'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { addRecord, confirmRecord, quotePayment } from '#shared/repayments/repayments-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Person } from '#tests/support/manage.ts'

interface WithHouse {
  context: AppContext
}

/** Paise of the first part. */
export const FIRST_PART = 300_000
let transfers = 760_000_000_000

/**
 * The whole debt of today in two parts, due in five and in fifteen days.
 * @returns the request
 */
export async function requestCure(manager: Person, orderId: string): Promise<string> {
  const { order } = await manager.call(orderDetail, { orderId })
  const today = istDay(Date.now())
  const plan = [
    { dueTime: addDays(today, 5), amount: FIRST_PART },
    { dueTime: addDays(today, 15), amount: order.outstanding - FIRST_PART },
  ]
  return (
    await manager.call(cureOrder, {
      orderId,
      version: order.version,
      plan,
      reason: 'Salary comes on the tenth',
    })
  ).approvalId
}

export async function approveCure(director: Person, approvalId: string): Promise<void> {
  await director.call(decideApproval, { approvalId, version: 1, result: 'approved' })
}

/** Twenty days later nothing was paid: opening the next day finds the first part missed. */
export async function missPart({ context }: WithHouse, orderId: string): Promise<void> {
  await sql`
    update settlement_plan s set rows = (select jsonb_agg(r.part || jsonb_build_object('dueTime',
      (r.part ->> 'dueTime')::date - 20) order by r.part ->> 'dueTime')
      from jsonb_array_elements(s.rows) r (part))
    where s.order_id = ${orderId} and s.state = 'current'`.execute(context.database.kysely)
}

/**
 * Books the price of an extension for an order whose product now offers one.
 * @returns the payment
 */
export async function bookExtension(
  { context }: WithHouse,
  service: Person,
  orderId: string,
): Promise<string> {
  const extend = { enabled: true, days: 30, feeType: 'rate', fee: 400, commission: 60, maxTimes: 2 }
  await sql`
    update loan_order set product_snapshot = product_snapshot || ${JSON.stringify({ extend })}::jsonb
      where id = ${orderId}`.execute(context.database.kysely)
  const { version, amountDue, asOf } = await service.call(quotePayment, {
    orderId,
    type: 'rollover',
  })
  transfers += 1
  return (
    await service.call(addRecord, {
      orderId,
      version,
      repaymentType: 'rollover',
      amount: amountDue,
      utr: String(transfers),
      upi: '-',
      channel: 2,
      bankCode: 'HDFC',
      payTime: asOf,
    })
  ).recordId
}

export async function confirmExtension(manager: Person, recordId: string): Promise<void> {
  await manager.call(confirmRecord, { recordId, version: 1, result: 'success' })
}
