/** Departments of agencies, and groups of departments. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { AGENCY_CHANGED } from '#shared/collection/collection-live.ts'
import { NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type * as api from '#shared/collection/setup-api.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { isOnDuty, isOnline } from './duty.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { requireOfficer } from './officers.ts'
import { agenciesInScope, departmentsInScope, groupsInScope, peopleInScope } from './unit-scope.ts'

type Unit = DataOf<typeof api.addGroup>
export type UnitKind = 'department' | 'group'

const SORTS = {
  id: 't.id',
  name: 't.name',
  officerName: 'u.user_name',
  agencyName: 'a.name',
  departmentName: '"departmentName"',
  collectorCount: '"collectorCount"',
}

/** A department reads as a group without a parent below its agency. */
function unitsOf(kind: UnitKind): RawBuilder<unknown> {
  return kind === 'department'
    ? sql`
      (select d.id, d.name, d.officer_id, d.agency_id, null::text as department_id, d.version,
        (select count(*)::int from collector k join sys_user m on m.id = k.user_id
        where m.department_id = d.id) as n from department d) t`
    : sql`
      (select g.id, g.name, g.officer_id, g.agency_id, g.department_id, g.version, (select count(*)::int
        from collector k join sys_user m on m.id = k.user_id where m.group_id = g.id) as n
        from team_group g) t`
}

async function readUnits(
  db: Db,
  kind: UnitKind,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(Unit & { total: number; now: string })[]> {
  const { rows } = await sql<Unit & { total: number; now: string }>`
    select t.id, t.name, t.officer_id as "officerId", u.user_name as "officerName",
      t.agency_id as "agencyId", a.name as "agencyName", t.department_id as "departmentId",
      p.name as "departmentName", t.n as "collectorCount", t.version,
      count(*) over ()::int as total, clock_timestamp() as now
    from ${unitsOf(kind)} join agency a on a.id = t.agency_id join sys_user u on u.id = t.officer_id left
      join department p on p.id = t.department_id
    where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({ total: _total, now: _now, ...unit }: Unit & { total: number; now: string }): Unit {
  return unit
}

function inScope(kind: UnitKind, actor: StaffActor): RawBuilder<boolean> {
  return kind === 'department'
    ? sql<boolean>`t.id in (select d.id from department d where ${departmentsInScope(actor)})`
    : sql<boolean>`t.id in (select g.id from team_group g where ${groupsInScope(actor)})`
}

export async function listUnits(
  db: Db,
  actor: StaffActor,
  kind: UnitKind,
  input: InputOf<typeof api.listGroups>,
): Promise<Page<Unit>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql<boolean>`${inScope(kind, actor)}
    and ${input.name === undefined ? sql`true` : sql`lower(t.name) like ${likeStart(input.name)}`}
    and ${input.officer === undefined ? sql`true` : sql`lower(u.user_name) like ${likeStart(input.officer)}`}
    and ${input.agencyId === undefined ? sql`true` : sql`t.agency_id = ${input.agencyId}`}
    and ${input.departmentId === undefined ? sql`true` : sql`t.department_id = ${input.departmentId}`}`
  const rows = await readUnits(
    db,
    kind,
    where,
    sortOf(input.sort, SORTS, 'agencyName:asc,name:asc', 't.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function findUnit(db: Db, kind: UnitKind, id: string): Promise<Unit> {
  const [row] = await readUnits(db, kind, sql<boolean>`t.id = ${id}`, sql`t.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}

/** @throws Problem K-DUP, G-FIELD at agency or officer */
export async function addDepartment(
  tx: CommandTx,
  { name, officerId, agencyId }: InputOf<typeof api.addDepartment>,
): Promise<string> {
  const { rows } = await sql<{ known: boolean; taken: boolean }>`
    select exists (select 1 from agency a where a.id = ${agencyId}) as known, exists (select 1
      from department d where d.agency_id = ${agencyId} and lower(d.name) = lower(${name})) as taken`.execute(
    tx.db,
  )
  if (!rows[0]?.known) throw new Problem(INVALID_FIELDS, {}, { fields: { agencyId: 'unknown' } })
  if (rows[0].taken) throw new Problem(NAME_TAKEN)
  await requireOfficer(tx, officerId)
  const made = await sql<{
    id: string
  }>`
    insert into department (name, agency_id, officer_id)
    values (${name}, ${agencyId}, ${officerId})
    returning id`.execute(tx.db)
  return finish(tx, 'department', 'add', (made.rows[0] as { id: string }).id, agencyId, {
    name,
    officerId,
  })
}

/** @throws Problem K-DUP, G-FIELD at department or officer */
export async function addGroup(
  tx: CommandTx,
  { name, officerId, departmentId }: InputOf<typeof api.addGroup>,
): Promise<string> {
  const { rows } = await sql<{ agency_id: string; taken: boolean }>`
    select d.agency_id, exists (select 1 from team_group g where g.department_id = d.id
      and lower(g.name) = lower(${name})) as taken from department d where d.id = ${departmentId}`.execute(
    tx.db,
  )
  const parent = rows[0]
  if (!parent) throw new Problem(INVALID_FIELDS, {}, { fields: { departmentId: 'unknown' } })
  if (parent.taken) throw new Problem(NAME_TAKEN)
  await requireOfficer(tx, officerId)
  const made = await sql<{
    id: string
  }>`
    insert into team_group (name, agency_id, department_id, officer_id)
    values (${name}, ${parent.agency_id}, ${departmentId}, ${officerId})
    returning id`.execute(tx.db)
  return finish(tx, 'group', 'add', (made.rows[0] as { id: string }).id, parent.agency_id, {
    name,
    officerId,
  })
}

/** @throws Problem G404, G409, K-DUP, G-FIELD */
export async function editUnit(
  tx: CommandTx,
  kind: UnitKind,
  { id, version, name, officerId }: InputOf<typeof api.editGroup>,
): Promise<void> {
  const table = sql.table(kind === 'department' ? 'department' : 'team_group')
  const parent = sql.ref(kind === 'department' ? 'agency_id' : 'department_id')
  const { rows } = await sql<{
    version: number
    agency_id: string
    taken: boolean
    before: unknown
  }>`
    select t.version, t.agency_id, jsonb_build_object('name', t.name, 'officerId', t.officer_id) as before,
      exists (select 1 from ${table} o where o.${parent} = t.${parent} and o.id <> t.id
      and lower(o.name) = lower(${name})) as taken
    from ${table} t where t.id = ${id} for update`.execute(tx.db)
  const unit = rows[0]
  if (!unit) throw new Problem(NOT_FOUND)
  if (unit.version !== version)
    throw await changedByOther(tx.db, kind, id, await findUnit(tx.db, kind, id))
  if (unit.taken) throw new Problem(NAME_TAKEN)
  await requireOfficer(tx, officerId)
  await sql`
    update ${table} set name = ${name}, officer_id = ${officerId}, version = version + 1,
      updated_at = clock_timestamp() where id = ${id}`.execute(tx.db)
  finish(tx, kind, 'edit', id, unit.agency_id, { name, officerId }, unit.before)
}

function finish(
  tx: CommandTx,
  kind: UnitKind,
  action: string,
  id: string,
  agencyId: string,
  after: unknown,
  before?: unknown,
): string {
  tx.emit(AGENCY_CHANGED, {
    subject: `agency:${agencyId}`,
    rooms: ['scope:all', 'menu:urge_agencies', `scope:agency:${agencyId}`],
    data: { ids: [agencyId] },
  })
  tx.log({
    action,
    targetKind: kind,
    targetId: id,
    ...(before === undefined ? {} : { before }),
    after,
  })
  return id
}

/** Everything of collection the caller may name: units and people of their scope. */
export async function findTree(db: Db, actor: StaffActor): Promise<DataOf<typeof collectionTree>> {
  const { rows } = await sql<{ tree: DataOf<typeof collectionTree> }>`
    select json_build_object(
      'agencies', (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'status',
        a.status, 'inHouse', a.in_house) order by a.name), '[]') from agency a
        where ${agenciesInScope(actor)}),
      'departments', (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'agencyId',
        d.agency_id) order by d.name), '[]') from department d where ${departmentsInScope(actor)}),
      'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'agencyId',
        g.agency_id, 'departmentId', g.department_id) order by g.name), '[]') from team_group g
        where ${groupsInScope(actor)}),
      'collectors', (select coalesce(json_agg(json_build_object('userId', u.id, 'userName', u.user_name,
        'account', u.account, 'agencyId', u.agency_id, 'departmentId', u.department_id, 'groupId',
        u.group_id, 'stageIds', k.stage_ids,
          'online', ${isOnline('u.id')}, 'onDuty', ${isOnDuty('u.id')}, 'enabled', u.status in ('enabled',
            'normal'), 'openCases', k.open_cases) order by u.user_name, u.id), '[]')
        from collector k join sys_user u on u.id = k.user_id where ${peopleInScope(actor)})
    ) as tree`.execute(db)
  return (rows[0] as { tree: DataOf<typeof collectionTree> }).tree
}
