import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isPersonalFilter } from '#shared/kernel/personal-filters.ts'
import type * as api from '#shared/exports/exports-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export type ExportInput = InputOf<typeof api.startExport>

/** Parameters of an export job. */
export type ExportParams = ExportInput & {
  code: string
  /** The approved request, if one was needed. */
  approvalId?: string
}

export const EXPORT_JOB = 'list.export'

/** Starts the job for the requester. @returns its id */
export async function queueExport(
  tx: CommandTx,
  input: ExportInput,
  { code, approvalId }: Pick<ExportParams, 'code' | 'approvalId'>,
  owner?: { userId: string; userName: string },
): Promise<string> {
  const menu = code.slice(0, code.indexOf(':'))
  const jobId = await startJob(tx, {
    type: EXPORT_JOB,
    menu,
    params: { ...input, code, ...(approvalId === undefined ? {} : { approvalId }) },
    targetIds: [],
    settles: true,
    ...(owner === undefined ? {} : { owner }),
  })
  tx.log({
    action: 'export',
    menu,
    targetKind: 'job',
    targetId: jobId,
    after: {
      list: input.list,
      format: input.format,
      columns: input.columns.length,
      filters: loggedFilters(input.filters),
      ...(approvalId === undefined ? {} : { approvalId }),
    },
  })
  return jobId
}

/**
 * Queued and running exports of one person. The person's row is locked, so that two concurrent
 * requests count each other.
 */
export async function exportsUnderWay(tx: CommandTx, userId: string): Promise<number> {
  await sql`select from sys_user u where u.id = ${userId} for no key update`.execute(tx.db)
  return underWay(tx.db, userId)
}

/** The same without a lock. */
export async function underWay(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
    from job j
    where j.type = ${EXPORT_JOB} and j.user_id = ${userId} and j.state in ('queued', 'running')`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Filters as the operate log stores them: an identifying filter is named without its value. */
export function loggedFilters(filters: ExportInput['filters']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, isPersonalFilter(name) ? '***' : value]),
  )
}
