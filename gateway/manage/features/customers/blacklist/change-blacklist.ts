/** Bulk calls over the blacklist: up to `bulk.syncMax` rows in the call, more as a job. */
import { type RawBuilder, sql } from 'kysely'
import type { addToBlacklist as addCall, removeFromBlacklist as removeCall } from '#shared/customers/customer-list-api.ts'
import { UNDECIDED_ORDERS } from '#shared/customers/customer-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { customerInScope } from '../customer-scope.ts'
import { blacklistCustomer, endEntry } from './blacklist-customer.ts'

export const blacklistJob: JobType = {
  type: 'blacklist.add',
  async row(cx, customerId, params) {
    await blacklistCustomer(cx, { customerId, source: 'manual', reason: String(params.reason) })
  },
}

export const unblacklistJob: JobType = {
  type: 'blacklist.remove',
  async row(cx, blackId, params) {
    await endEntry(cx, blackId, String(params.reason))
  },
}

/** @throws Problem G-SEL, G-MAX; G404 and L-ON stand in `failed` per row */
export async function addToBlacklist(cx: Cx, { userIds, reason }: InputOf<typeof addCall>): Promise<DataOf<typeof addCall>> {
  const inScope = sql`select c.id from customer c where c.id = any(${[...userIds]}::text[]) and ${customerInScope(staff(cx.actor))}`
  const result = await eachRow(cx, userIds, inScope, blacklistJob, reason)
  const { rows } = await sql<DataOf<typeof addCall>['openOrders'][number]>`
    select o.customer_id as "userId", o.id as "orderId", o.status from loan_order o
    where o.customer_id = any(${result.ok}::text[]) and o.status = any(${[...UNDECIDED_ORDERS]}) order by o.customer_id, o.id`.execute(cx.db)
  return { ...result, openOrders: rows }
}

/** @throws Problem G-SEL, G-MAX; G404 and L-END stand in `failed` per row */
export function removeFromBlacklist(cx: Cx, { blackIds, reason }: InputOf<typeof removeCall>): Promise<BulkResult> {
  const inScope = sql`select b.id from blacklist b join customer c on c.id = b.customer_id where b.id = any(${[...blackIds]}::text[]) and ${customerInScope(staff(cx.actor))}`
  return eachRow(cx, blackIds, inScope, unblacklistJob, reason)
}

/** Rows outside the caller's scope answer like missing ones and never reach the job. */
async function eachRow(cx: Cx, ids: readonly string[], inScope: RawBuilder<unknown>, type: JobType, reason: string): Promise<BulkResult> {
  const { rows } = await sql<{ ids: string[]; sync_max: number; most: number }>`
    select array(${inScope}) as ids, (select x.value::int from sys_config x where x.code = 'bulk.syncMax') as sync_max, (select x.value::int from sys_config x where x.code = 'bulk.max') as most`.execute(cx.db)
  const { ids: known, sync_max: syncMax, most } = rows[0] as { ids: string[]; sync_max: number; most: number }
  if (ids.length > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  const missing = [...new Set(ids)].filter((id) => !known.includes(id)).map((id) => ({ id, code: NOT_FOUND.code, msg: NOT_FOUND.msg, problem: NOT_FOUND.id, params: {} }))
  if (known.length > syncMax) return { jobId: await startJob(cx, { type: type.type, menu: 'customer_list', params: { reason }, targetIds: known }), ok: [], failed: missing }
  if (known.length === 0) return { ok: [], failed: missing }
  const done = await rowByRow(known, (id) => type.row(cx, id, { reason }))
  return { ok: done.ok, failed: [...done.failed, ...missing] }
}
