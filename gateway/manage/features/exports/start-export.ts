import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isPersonalFilter } from '#shared/kernel/personal-filters.ts'
import { exportCode, mayCall } from '#shared/kernel/permission.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/exports/exports-api.ts'
import { TWO_EXPORTS_AT_ONCE } from '#shared/exports/exports-problems.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'

export type ExportInput = InputOf<typeof api.startExport>

export const EXPORT_JOB = 'list.export'
/** Of one person (trust.md F8). */
const MOST_AT_ONCE = 2

/** @returns the code that lets this person export this list with these filters @throws Problem G403 */
export function codeFor(house: House, { rights: { permissions } }: StaffActor, { list: path, filters }: Pick<ExportInput, 'list' | 'filters'>): string {
  const list = house.lists.get(path)
  // what is no list answers like one that is not his: a refusal says nothing of what exists
  const code = list && mayCall(list.endpoint.access, permissions) ? exportCode(list.endpoint, permissions, filters) : null
  if (code === null) throw new Problem(FORBIDDEN)
  return code
}

/** @throws Problem G403, E-TWO */
export async function startExport(cx: Cx, input: ExportInput): Promise<string> {
  const actor = staff(cx.actor)
  const code = codeFor(cx.house, actor, input)
  // two requests of one person count each other
  await sql`select from sys_user u where u.id = ${actor.userId} for update`.execute(cx.db)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from job j where j.type = ${EXPORT_JOB} and j.user_id = ${actor.userId} and j.state in ('queued', 'running')`.execute(cx.db)
  if ((rows[0]?.n ?? 0) >= MOST_AT_ONCE) throw new Problem(TWO_EXPORTS_AT_ONCE)
  const menu = code.slice(0, code.indexOf(':'))
  const jobId = await startJob(cx, { type: EXPORT_JOB, menu, params: { ...input, code }, targetIds: [], settles: true })
  cx.log({ action: 'export', menu, targetKind: 'job', targetId: jobId, after: { list: input.list, format: input.format, columns: input.columns.length, filters: loggedFilters(input.filters) } })
  return jobId
}

/** As the log holds them: a filter by which somebody is found is named without its value. */
export function loggedFilters(filters: ExportInput['filters']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, isPersonalFilter(name) ? '***' : value]))
}
