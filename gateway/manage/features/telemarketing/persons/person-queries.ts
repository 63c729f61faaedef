/** Telemarketers as their screen shows them. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/telemarketing/person-api.ts'
import { isOnline } from '#gateway/manage/features/collection/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { allOf, filterClauses, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { peopleOfTeam } from '../tele-scope.ts'

export type PersonRow = Static<typeof api.PersonRow>

const STATUS = sql`case when u.status = 'enabled' then 'normal' else u.status end`
/** A subselect is read once; the clock itself would be read for each row, and no index could answer. */
const TODAY = sql`(select ist_day(clock_timestamp())::timestamp at time zone 'Asia/Kolkata')`
const SORTS = {
  account: 'lower(u.account)',
  name: 'lower(u.user_name)',
  groupName: 'g.name',
  capacity: 'p.capacity',
  openTasks: '"openTasks"',
  todayAssigned: '"todayAssigned"',
  todayFollowed: '"todayFollowed"',
  todayConverted: '"todayConverted"',
}

type Found = PersonRow & { total: number; now: string }

async function read(
  db: Db,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select u.id as "userId", u.account, u.user_name as name, r.unique_mark as "roleMark",
      g.name as "groupName", p.segments, l.seat_number as "seatNumber",
      u.allocation_flag as "allocationFlag", p.capacity,
      (select count(*)::int from tele_task t where t.assignee_id = u.id
        and t.state in ('claimed', 'assigned')) as "openTasks",
      (select count(*)::int from tele_given v where v.user_id = u.id and v.at >= ${TODAY}) as "todayAssigned",
      (select count(*)::int from tele_record w where w.operator_id = u.id
        and w.created_at >= ${TODAY}) as "todayFollowed",
      (select count(*)::int from tele_task t where t.credited_to = u.id and t.state = 'converted'
        and t.closed_at >= ${TODAY}) as "todayConverted",
      ${STATUS} as status, ${isOnline('u.id')} as online, p.version,
      count(*) over ()::int as total, clock_timestamp() as now
    from tele_person p join sys_user u on u.id = p.user_id join sys_role r on r.id = u.role_id
    left join team_group g on g.id = u.group_id
    left join phone_line l on l.bound_user_id = u.id and l.kind = 'promotional'
    where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({ total: _total, now: _now, ...person }: Found): PersonRow {
  return person
}

export async function findPersons(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listPersons>,
): Promise<Page<PersonRow>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  all.push(peopleOfTeam(actor))
  add(input.userId, (id) => sql`u.id = ${id}`)
  add(input.name, (name) => sql`lower(u.user_name) like ${likeStart(name)}`)
  add(input.segment, (segment) => sql`p.segments @> array[${segment}::text]`)
  add(input.groupId, (id) => sql`u.group_id = ${id}`)
  add(input.allocationFlag, (flag) => sql`u.allocation_flag = ${flag}`)
  add(input.status, (status) => sql`${STATUS} = ${status}`)
  add(input.online, (online) => sql`${isOnline('u.id')} = ${online}`)
  const rows = await read(
    db,
    allOf(all),
    sortOf(input.sort, SORTS, 'account:asc', 'u.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  const [first] = rows
  return {
    rows: rows.map(shown),
    total: first?.total ?? 0,
    asOf: first?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 for somebody who is no telemarketer, or not of the caller's team */
export async function findPerson(db: Db, actor: StaffActor, userId: string): Promise<PersonRow> {
  const [row] = await read(db, sql`u.id = ${userId} and ${peopleOfTeam(actor)}`, sql`u.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}

export async function readPersonOptions(
  db: Db,
  actor: StaffActor,
): Promise<DataOf<typeof api.personOptions>> {
  const { rows } = await sql<DataOf<typeof api.personOptions>>`
    select
      (select coalesce(json_agg(json_build_object('userId', u.id, 'userName', u.user_name,
          'account', u.account) order by u.account), '[]')
        from sys_user u
        where exists (select 1 from sys_role_menu m join sys_menu s on s.id = m.menu_id
            where m.role_id = u.role_id and s.name = any(array['no_certified', 'unrequished',
              'no_relented', 'loan_failed']))
          and not exists (select 1 from tele_person p where p.user_id = u.id)
          and ${peopleOfTeam(actor)}) as accounts,
      (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name, g.id), '[]')
        from team_group g) as groups`.execute(db)
  return rows[0] as DataOf<typeof api.personOptions>
}
