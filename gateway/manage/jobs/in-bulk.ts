/**
 * What a list does to many of its rows: up to `bulk.syncMax` in the call, more as a job, never more
 * than `bulk.max`; each row by itself.
 */
import { type RawBuilder, sql } from 'kysely'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, NOTHING_SELECTED, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import type { JobType } from './job-type.ts'
import { startJob } from './start-job.ts'

interface Bulk {
  /**
   * What is done to one of them, in the call as in the job: it asks for no rights, which a job does
   * not have.
   */
  type: JobType
  menu: string
  params: Record<string, unknown>
  /** Of `ids` those the caller may touch, as a select of their ids. */
  known: RawBuilder<unknown>
}

/**
 * Ids the caller may not touch answer like missing ones and never reach the job.
 * @throws Problem G-SEL, G-MAX
 */
export async function inBulk(
  tx: CommandTx,
  ids: readonly string[],
  { type, menu, params, known }: Bulk,
): Promise<BulkResult> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) throw new Problem(NOTHING_SELECTED)
  const { rows } = await sql<{ known: string[]; sync_max: number; most: number }>`
    select array(${known}) as known, (select x.value::int from sys_config x
      where x.code = 'bulk.syncMax') as sync_max, (select x.value::int from sys_config x
      where x.code = 'bulk.max') as most`.execute(tx.db)
  const {
    known: found,
    sync_max: syncMax,
    most,
  } = rows[0] as { known: string[]; sync_max: number; most: number }
  if (unique.length > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  const theirs = new Set(found)
  const targetIds = unique.filter((id) => theirs.has(id))
  const missing = unique
    .filter((id) => !theirs.has(id))
    .map((id) => ({
      id,
      code: NOT_FOUND.code,
      msg: NOT_FOUND.msg,
      problem: NOT_FOUND.id,
      params: {},
    }))
  if (targetIds.length > syncMax)
    return {
      jobId: await startJob(tx, {
        type: type.type,
        menu,
        params,
        targetIds,
        settles: type.ended !== undefined,
      }),
      ok: [],
      failed: missing,
    }
  if (targetIds.length === 0) return { ok: [], failed: missing }
  const done = await rowByRow(targetIds, (id) => type.row(tx, id, params))
  return { ok: done.ok, failed: [...done.failed, ...missing] }
}
