/** Collectors as the list shows them. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/collection/setup-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { recoveredTodayOf } from '../figures/bills.ts'
import { isOnDuty, isOnline, TODAY } from './duty.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { peopleInScope } from './unit-scope.ts'

type Person = DataOf<typeof api.addPerson>

const SORTS = {
  account: 'lower(u.account)',
  name: 'u.user_name',
  agencyName: 'a.name',
  departmentName: 'd.name',
  groupName: 't.name',
  weight: 'k.weight',
  capacity: 'k.capacity',
  openCases: 'k.open_cases',
  certExpiry: 'k.cert_expiry',
  todayRecovered: '"todayRecovered"',
}

/** Has a certificate that has not expired. */
const CERTIFIED = sql<boolean>`coalesce(k.cert_no is not null and k.cert_expiry >= ${TODAY}, false)`

async function readPersons(
  db: Db,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(Person & { total: number; now: string })[]> {
  const { rows } = await sql<Person & { total: number; now: string }>`
    select u.id as "userId", u.account, u.user_name as name, r.unique_mark as "roleMark",
      u.agency_id as "agencyId", a.name as "agencyName", u.department_id as "departmentId",
      d.name as "departmentName", u.group_id as "groupId", t.name as "groupName",
      k.stage_ids as "stageIds", u.allocation_flag as "allocationFlag",
        k.address_book_visible as "addressBookVisible", case when u.status = 'enabled' then 'normal'
        else u.status end as status, k.weight, k.seat_number as "seatNumber", k.cert_no as "certNo",
      k.cert_expiry::text as "certExpiry", ${CERTIFIED} as "certValid", k.capacity,
        k.open_cases as "openCases",
      ${recoveredTodayOf(sql`b.collector_id = u.id`)} as "todayRecovered",
      ${isOnline('u.id')} as online, ${isOnDuty('u.id')} as "onDuty", k.version,
        count(*) over ()::int as total, clock_timestamp() as now
    from collector k join sys_user u on u.id = k.user_id join sys_role r on r.id = u.role_id left
      join agency a on a.id = u.agency_id left join department d on d.id = u.department_id left
      join team_group t on t.id = u.group_id
    where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({
  total: _total,
  now: _now,
  ...person
}: Person & { total: number; now: string }): Person {
  return person
}

export async function listPersons(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listPersons>,
): Promise<Page<Person>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [peopleInScope(actor)]
  if (input.account !== undefined) all.push(sql`lower(u.account) like ${likeStart(input.account)}`)
  if (input.name !== undefined) all.push(sql`lower(u.user_name) like ${likeStart(input.name)}`)
  if (input.roleMark !== undefined) all.push(sql`r.unique_mark = ${input.roleMark}`)
  if (input.agencyId !== undefined) all.push(sql`u.agency_id = ${input.agencyId}`)
  if (input.departmentId !== undefined) all.push(sql`u.department_id = ${input.departmentId}`)
  if (input.groupId !== undefined) all.push(sql`u.group_id = ${input.groupId}`)
  if (input.stageId !== undefined) all.push(sql`k.stage_ids @> array[${input.stageId}::text]`)
  if (input.allocationFlag !== undefined) all.push(sql`u.allocation_flag = ${input.allocationFlag}`)
  if (input.status !== undefined)
    all.push(
      input.status === 'normal'
        ? sql`u.status in ('enabled', 'normal')`
        : sql`u.status = ${input.status}`,
    )
  if (input.online !== undefined) all.push(sql`${isOnline('u.id')} = ${input.online}`)
  if (input.certValid !== undefined) all.push(sql`${CERTIFIED} = ${input.certValid}`)
  const rows = await readPersons(
    db,
    sql<boolean>`${sql.join(all, sql` and `)}`,
    sortOf(input.sort, SORTS, 'account:asc', 'u.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 for a user who is no collector or outside the caller's scope */
export async function findPerson(db: Db, actor: StaffActor, userId: string): Promise<Person> {
  const [row] = await readPersons(
    db,
    sql<boolean>`u.id = ${userId} and ${peopleInScope(actor)}`,
    sql`u.id`,
  )
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}
