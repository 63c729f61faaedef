/** Bulk endpoints of the blacklist. */
import { sql } from 'kysely'
import type {
  addToBlacklist as addCall,
  removeFromBlacklist as removeCall,
} from '#shared/customers/customer-list-api.ts'
import { UNDECIDED_ORDERS } from '#shared/customers/customer-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { customerInScope } from '../customer-scope.ts'
import { blacklistCustomer, endEntry } from './blacklist-customer.ts'

const MENU = 'customer_list'

export const blacklistJob: JobType = {
  type: 'blacklist.add',
  async row(tx, customerId, params) {
    await blacklistCustomer(tx, { customerId, source: 'manual', reason: String(params.reason) })
  },
}

export const unblacklistJob: JobType = {
  type: 'blacklist.remove',
  async row(tx, blackId, params) {
    await endEntry(tx, blackId, String(params.reason))
  },
}

/** @throws Problem G-SEL, G-MAX; G404 and L-ON are reported per row in `failed` */
export async function addToBlacklist(
  tx: CommandTx,
  { userIds, reason }: InputOf<typeof addCall>,
): Promise<DataOf<typeof addCall>> {
  const known = sql`
    select c.id from customer c where c.id = any(${[...userIds]}::text[])
      and ${customerInScope(staff(tx.actor))}`
  const result = await inBulk(tx, userIds, {
    type: blacklistJob,
    menu: MENU,
    params: { reason },
    known,
  })
  const { rows } = await sql<DataOf<typeof addCall>['openOrders'][number]>`
    select o.customer_id as "userId", o.id as "orderId", o.status from loan_order o
    where o.customer_id = any(${result.ok}::text[]) and o.status = any(${[...UNDECIDED_ORDERS]})
      order by o.customer_id, o.id`.execute(tx.db)
  return { ...result, openOrders: rows }
}

/** @throws Problem G-SEL, G-MAX; G404 and L-END are reported per row in `failed` */
export function removeFromBlacklist(
  tx: CommandTx,
  { blackIds, reason }: InputOf<typeof removeCall>,
): Promise<BulkResult> {
  const known = sql`
    select b.id from blacklist b join customer c on c.id = b.customer_id
      where b.id = any(${[...blackIds]}::text[]) and ${customerInScope(staff(tx.actor))}`
  return inBulk(tx, blackIds, { type: unblacklistJob, menu: MENU, params: { reason }, known })
}
