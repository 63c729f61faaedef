/**
 * Bulk calls over tickets: up to `bulk.syncMax` rows within the call, more as a job. The rows of a
 * job are authorised here, before it starts.
 */
import { sql } from 'kysely'
import type { BulkResult } from '#shared/kernel/page.ts'
import {
  FORBIDDEN,
  NOT_FOUND,
  NOTHING_SELECTED,
  Problem,
  type ProblemKind,
  TOO_MANY_ROWS,
} from '#shared/kernel/problem.ts'
import { mayTicket, type TicketAction, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import { MENU } from '../ticket-events.ts'

/** @throws Problem G-SEL, G-MAX */
export async function bulkLimits(
  tx: CommandTx,
  ids: readonly string[],
): Promise<{ syncMax: number }> {
  if (ids.length === 0) throw new Problem(NOTHING_SELECTED)
  const { rows } = await sql<{
    sync_max: number
    most: number
  }>`select ${intParameter('bulk.syncMax')} as sync_max, ${intParameter('bulk.max')} as most`.execute(
    tx.db,
  )
  const { sync_max: syncMax, most } = rows[0] as { sync_max: number; most: number }
  if (ids.length > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  return { syncMax }
}

/**
 * Tickets outside the caller's scope are refused as missing, tickets of a queue without the code
 * with G403; neither reaches the job.
 * @throws Problem G-SEL, G-MAX
 */
export async function eachTicket(
  tx: CommandTx,
  feedbackIds: readonly string[],
  action: TicketAction,
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  const { syncMax } = await bulkLimits(tx, feedbackIds)
  const actor = staff(tx.actor)
  const { rows } = await sql<{ id: string; queue: TicketQueue }>`
    select t.id, t.queue
    from feedback t
    where t.id = any(${[...feedbackIds]}::text[]) and ${ticketsInScope(actor)}
    order by t.id`.execute(tx.db)
  const queues = new Map(rows.map(({ id, queue }) => [id, queue]))
  const allowed = rows
    .filter(({ queue }) => mayTicket(actor.rights.permissions, queue, action))
    .map(({ id }) => id)
  const refused = feedbackIds
    .filter((id) => !allowed.includes(id))
    .map((id) => failedAs(id, queues.has(id) ? FORBIDDEN : NOT_FOUND))
  return runEach(tx, allowed, refused, { syncMax, type, params })
}

export function failedAs(
  id: string,
  { code, msg, id: problem }: ProblemKind,
): BulkResult['failed'][number] {
  return { id, code, msg, problem, params: {} }
}

export async function runEach(
  tx: CommandTx,
  ids: readonly string[],
  refused: BulkResult['failed'],
  { syncMax, type, params }: { syncMax: number; type: JobType; params: Record<string, unknown> },
): Promise<BulkResult> {
  if (ids.length > syncMax)
    return {
      jobId: await startJob(tx, { type: type.type, menu: MENU, params, targetIds: ids }),
      ok: [],
      failed: refused,
    }
  if (ids.length === 0) return { ok: [], failed: refused }
  const done = await rowByRow(ids, (id) => type.row(tx, id, params))
  return { ok: done.ok, failed: [...done.failed, ...refused] }
}

/**
 * Queues in which the caller holds an action, stored for a job that runs without the caller's
 * rights.
 */
export function queuesWith(tx: CommandTx, action: TicketAction): TicketQueue[] {
  const { rights } = staff(tx.actor)
  return (['operation', 'loaned'] as const).filter((queue) =>
    mayTicket(rights.permissions, queue, action),
  )
}
