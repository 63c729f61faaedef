/** Changes of what governs the product, out of the operate log. */
import { sql } from 'kysely'
import { CHANGE_KINDS, type listChanges } from '#shared/access/changes-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import {
  allOf,
  countedTo,
  filterClauses,
  isoTime,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'

type Row = DataOf<typeof listChanges>['rows'][number]

/** Written as in the index `operate_log_settings`, or it is not used. */
const IS_CHANGE = sql<boolean>`l.result = 'ok' and l.target_kind in (${sql.raw(
  CHANGE_KINDS.map((kind) => `'${kind}'`).join(', '),
)})`

/**
 * Asking for an approval changes nothing, and neither does running a task, emptying a cache, or trying
 * a draft on the past.
 */
const HAS_EFFECT = sql<boolean>`
  coalesce(l.before, l.after) is not null and not coalesce(l.after ? 'approvalId', false)
  and l.action not in ('refresh', 'flush', 'run', 'breaker', 'export', 'startBacktest', 'stopBacktest')`

const NAME = sql<string | null>`
  coalesce(l.after ->> 'code', l.before ->> 'code', l.after ->> 'name', l.before ->> 'name')`

export async function findChanges(db: Db, input: InputOf<typeof listChanges>): Promise<Page<Row>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const { all, add } = filterClauses()
  all.push(IS_CHANGE, HAS_EFFECT)
  add(input.kind, (kind) => sql`l.target_kind = ${kind}`)
  add(
    input.what,
    (what) => sql`(l.target_id = ${what} or strpos(lower(${NAME}), lower(${what}::text)) > 0)`,
  )
  add(input.by, (by) => sql`strpos(lower(l.user_name), lower(${by}::text)) > 0`)
  add(input.timeFrom, (day) => sinceDay('l.time', day))
  add(input.timeTo, (day) => untilDay('l.time', day))
  const where = allOf(all)
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select p."logId", p.time, p.kind, p."targetId", p.name, p.action, p.before, p.after,
        coalesce(w.requested_by_name, p.by) as by, w.decided_by_name as "approvedBy"
      from (
        select l.id, l.id::text as "logId", ${isoTime('l.time')} as time, l.approval_id,
          l.target_kind as kind, l.target_id as "targetId", ${NAME} as name, l.action, l.before, l.after,
          l.user_name as by
        from operate_log l where ${where}
        order by ${sortOf(input.sort, { time: 'l.id' }, 'time:desc', 'l.id')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
      ) p
      left join approval w on w.id = p.approval_id
      order by ${sortOf(input.sort, { time: 'p.id' }, 'time:desc', 'p.id')}`.execute(db),
    sql<{ total: number; now: string }>`
      select count(*)::int as total, ${isoTime('clock_timestamp()')} as now
        from (select 1 from operate_log l where ${where} limit ${cap + 1}) found`.execute(db),
  ])
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return {
    rows,
    total: Math.min(total, cap),
    ...(total > cap ? { totalCapped: true } : {}),
    asOf: now,
  }
}
