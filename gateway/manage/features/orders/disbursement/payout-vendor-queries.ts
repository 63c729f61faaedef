/** Payout vendors, for filters and for the forms that send a failed transfer again. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type * as api from '#shared/orders/disbursement-api.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { ordersInScope } from '../order-scope.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { otherPayoutTarget, payoutTarget } from '../payout-target.ts'

/** Those that pay out for an app now: the vendor of the installation, and services that are on. */
export async function usablePayoutVendors(db: Db): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select c.value as code from sys_config c where c.code = 'payout.vendor'
    union
    select v.code from tp_app_cfg s join tp_vendor v on v.id = s.vendor_id
    where s.kind = 'payout' and s.status = 'enabled' order by code`.execute(db)
  return rows.map(({ code }) => code)
}

/** All vendors of transfers are found by jumping from one to the next in their index. */
export async function payoutVendors(
  db: Db,
  actor: StaffActor,
  { orderId }: InputOf<typeof api.payoutVendors>,
): Promise<DataOf<typeof api.payoutVendors>> {
  const usable = await usablePayoutVendors(db)
  const { rows } = await sql<{ code: string }>`
    with recursive used (code) as (
      select min(t.vendor_code) from payout_transfer t
      union all
      select (select min(t.vendor_code) from payout_transfer t where t.vendor_code > u.code)
      from used u where u.code is not null
    )
    select u.code from used u where u.code is not null`.execute(db)
  const all = [...new Set([...usable, ...rows.map(({ code }) => code)])].toSorted()
  return { usable, all, ...(await ofOrder(db, actor, orderId)) }
}

/** An order outside the caller's scope answers like one without a transfer. */
async function ofOrder(
  db: Db,
  actor: StaffActor,
  orderId: string | undefined,
): Promise<{ current: string | null; other: string | null }> {
  const { rows } = await sql<{ vendor_code: string }>`
    select t.vendor_code from payout_transfer t join loan_order o on o.id = t.order_id
      where t.order_id = ${orderId ?? null} and ${ordersInScope(actor)}
      order by t.attempt_no desc limit 1`.execute(db)
  const [last] = rows
  if (orderId === undefined || !last) return { current: null, other: null }
  const { vendorCode: current } = await payoutTarget(db, orderId)
  const other = await otherPayoutTarget(db, orderId, last.vendor_code)
  return { current, other: other?.vendorCode ?? null }
}
