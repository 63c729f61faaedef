/** Queries of the operate log and of browser errors. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/access/operate-log-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { countedTo, isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

type Row = DataOf<typeof api.listOperateLog>['rows'][number]

/**
 * The filters offer the actions and menus of this many newest entries, because a search through
 * years for a rare one would take seconds.
 */
const NEWEST = 20_000

/**
 * The log is append-only, so ids are in the order of time.
 * @throws Problem G-FIELD without a time range and a target
 */
export async function listOperateLog(
  db: Db,
  input: InputOf<typeof api.listOperateLog>,
): Promise<Page<Row>> {
  if (input.target === undefined && (input.timeFrom === undefined || input.timeTo === undefined))
    throw new Problem(
      INVALID_FIELDS,
      {},
      {
        fields: {
          ...(input.timeFrom === undefined ? { timeFrom: 'required' } : {}),
          ...(input.timeTo === undefined ? { timeTo: 'required' } : {}),
        },
      },
    )
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const where = filterOf(input)
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select l.id::text as "logId", ${isoTime('l.time')} as time, l.user_id as "operatorId",
        l.user_name as "operatorName", l.role_mark as "roleMark", g.name as "roleName", l.menu,
        m.title as "menuTitle", l.action,
        l.target_kind as "targetKind", l.target_id as "targetId", l.before, l.after, l.result, l.ip,
          l.agent, l.request_id as "requestId", l.chain_no as "chainNo"
      from operate_log l left join sys_role g on g.unique_mark = l.role_mark left
        join sys_menu m on m.name = l.menu
      where ${where} order by ${sortOf(input.sort, { time: 'l.id' }, 'time:desc', 'l.id')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db),
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

function filterOf(input: InputOf<typeof api.listOperateLog>): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.timeFrom !== undefined) all.push(sql`l.time >= ${input.timeFrom}::timestamptz`)
  if (input.timeTo !== undefined) all.push(sql`l.time <= ${input.timeTo}::timestamptz`)
  if (input.operatorId !== undefined) all.push(sql`l.user_id = ${input.operatorId}`)
  if (input.menu !== undefined) all.push(sql`l.menu = ${input.menu}`)
  if (input.action !== undefined) all.push(sql`l.action = ${input.action}`)
  if (input.ip !== undefined) all.push(sql`l.ip = ${input.ip}`)
  if (input.result !== undefined)
    all.push(input.result === 'ok' ? sql`l.result = 'ok'` : sql`l.result <> 'ok'`)
  if (input.target !== undefined) {
    const at = input.target.indexOf(':')
    all.push(sql`l.target_id = ${input.target.slice(at + 1)}`)
    if (at > 0) all.push(sql`l.target_kind = ${input.target.slice(0, at)}`)
  }
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

export async function operateLogSelectors(db: Db): Promise<DataOf<typeof api.operateLogSelectors>> {
  const [operators, newest, menus] = await Promise.all([
    sql<{ userId: string; userName: string; account: string }>`
      select u.id as "userId", u.user_name as "userName", u.account
      from sys_user u
      order by u.user_name, u.id
      limit 5000`.execute(db),
    sql<{ action: string }>`
      select distinct n.action
      from (select l.action from operate_log l order by l.id desc limit ${NEWEST}) n
      order by n.action`.execute(db),
    sql<{
      name: string
      title: string
    }>`select m.name, m.title from sys_menu m where m.component <> 'Layout' order by m.sort, m.name`.execute(
      db,
    ),
  ])
  return {
    operators: operators.rows,
    menus: menus.rows,
    actions: newest.rows.map(({ action }) => action),
  }
}

export async function listClientErrors(
  db: Db,
  input: InputOf<typeof api.listClientErrors>,
): Promise<Page<DataOf<typeof api.listClientErrors>['rows'][number]>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.message !== undefined)
    all.push(sql`lower(e.message) like ${`%${likeStart(input.message)}`}`)
  if (input.version !== undefined) all.push(sql`lower(e.version) like ${likeStart(input.version)}`)
  if (input.timeFrom !== undefined) all.push(sql`e.at >= ${input.timeFrom}::timestamptz`)
  if (input.timeTo !== undefined) all.push(sql`e.at <= ${input.timeTo}::timestamptz`)
  const sorts = { time: 'max(e.at)', count: 'count(*)', version: 'e.version', message: 'e.message' }
  const { rows } = await sql<
    DataOf<typeof api.listClientErrors>['rows'][number] & { total: number }
  >`
    select max(e.id)::text as "errorId", ${isoTime('max(e.at)')} as time, (array_agg(u.user_name
      order by e.id desc))[1] as "userName", e.message, e.url, e.version, count(*)::int as count,
      count(*) over ()::int as total
    from client_error e
    join sys_user u on u.id = e.user_id
    where ${sql.join(all, sql` and `)}
    group by e.message, e.url, e.version
    order by ${sortOf(input.sort, sorts, 'time:desc', 'max(e.id)')}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  return {
    rows: rows.map(({ total: _total, ...row }) => row),
    total: rows[0]?.total ?? 0,
    asOf: new Date().toISOString(),
  }
}
