/** Agencies: officers, weights in the allocation, locks. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { AGENCY_CHANGED } from '#shared/collection/collection-live.ts'
import { NAME_TAKEN, WEIGHTS_TOTAL } from '#shared/collection/collection-problems.ts'
import type * as api from '#shared/collection/setup-api.ts'
import { MENU_CHANGED } from '#shared/session/session-live.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { requireOfficer } from './officers.ts'
import { agenciesInScope } from './unit-scope.ts'

type Agency = DataOf<typeof api.addAgency>

const SORTS = {
  agencyId: 'a.id',
  name: 'a.name',
  weight: 'a.weight',
  status: 'a.status',
  collectorCount: '"collectorCount"',
  caseCount: '"caseCount"',
}

async function readAgencies(
  db: Db,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(Agency & { total: number; now: string })[]> {
  const { rows } = await sql<Agency & { total: number; now: string }>`
    select a.id as "agencyId", a.name, a.officer_id as "officerId", u.user_name as officer,
      'XXXXXX' || a.officer_phone_last4 as "officerPhone", a.weight, a.in_house as "inHouse",
      a.term_end::text as "termEnd", a.status, a.version,
      (select count(*)::int from collector k join sys_user m on m.id = k.user_id
        where m.agency_id = a.id) as "collectorCount",
      (select count(*)::int from collection_case c where c.agency_id = a.id
        and c.state in ('unallocated', 'allocating', 'allocated', 'promised')) as "caseCount",
      count(*) over ()::int as total, clock_timestamp() as now
    from agency a join sys_user u on u.id = a.officer_id where ${where} order by ${order} ${page}`.execute(
    db,
  )
  return rows
}

function shown({
  total: _total,
  now: _now,
  ...agency
}: Agency & { total: number; now: string }): Agency {
  return agency
}

export async function listAgencies(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listAgencies>,
): Promise<Page<Agency>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql<boolean>`${agenciesInScope(actor)}
    and ${input.name === undefined ? sql`true` : sql`lower(a.name) like ${likeStart(input.name)}`}
    and ${input.officer === undefined ? sql`true` : sql`lower(u.user_name) like ${likeStart(input.officer)}`}
    and ${input.status === undefined ? sql`true` : sql`a.status = ${input.status}`}`
  const rows = await readAgencies(
    db,
    where,
    sortOf(input.sort, SORTS, 'name:asc', 'a.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function findAgency(db: Db, agencyId: string): Promise<Agency> {
  const [row] = await readAgencies(db, sql<boolean>`a.id = ${agencyId}`, sql`a.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}

/** @throws Problem K-DUP, G-FIELD at the officer */
export async function addAgency(
  tx: CommandTx,
  input: InputOf<typeof api.addAgency>,
): Promise<string> {
  await refuseTaken(tx, null, input.name)
  await requireOfficer(tx, input.officerId)
  const { rows } = await sql<{
    id: string
  }>`
    insert into agency (name, officer_id, weight, in_house, term_end, status)
    values (${input.name}, ${input.officerId}, 0, ${input.inHouse}, ${input.termEnd ?? null}, 'locked')
    returning id`.execute(tx.db)
  const id = (rows[0] as { id: string }).id
  if (input.officerPhone !== undefined) await setPhone(tx, id, input.officerPhone)
  emitAgencies(tx, [id])
  tx.log({
    action: 'add',
    targetKind: 'agency',
    targetId: id,
    after: {
      name: input.name,
      officerId: input.officerId,
      inHouse: input.inHouse,
      termEnd: input.termEnd ?? null,
    },
  })
  return id
}

/** @throws Problem G404, G409, K-DUP, G-FIELD */
export async function editAgency(
  tx: CommandTx,
  input: InputOf<typeof api.editAgency>,
): Promise<void> {
  const before = await lock(tx, input.agencyId)
  if (before.version !== input.version)
    throw await changedByOther(
      tx.db,
      'agency',
      input.agencyId,
      await findAgency(tx.db, input.agencyId),
    )
  await refuseTaken(tx, input.agencyId, input.name)
  await requireOfficer(tx, input.officerId)
  await sql`
    update agency set name = ${input.name}, officer_id = ${input.officerId}, in_house = ${input.inHouse},
      term_end = ${input.termEnd ?? null}, version = version + 1, updated_at = clock_timestamp()
      where id = ${input.agencyId}`.execute(tx.db)
  if (input.officerPhone !== undefined) await setPhone(tx, input.agencyId, input.officerPhone)
  emitAgencies(tx, [input.agencyId])
  if (before.in_house !== input.inHouse) await recheckPeople(tx, input.agencyId)
  tx.log({
    action: 'edit',
    targetKind: 'agency',
    targetId: input.agencyId,
    before: {
      name: before.name,
      officerId: before.officer_id,
      inHouse: before.in_house,
      termEnd: before.term_end,
    },
    after: {
      name: input.name,
      officerId: input.officerId,
      inHouse: input.inHouse,
      termEnd: input.termEnd ?? null,
    },
  })
}

/** People of an outside agency see less than those of the house. */
async function recheckPeople(tx: CommandTx, agencyId: string): Promise<void> {
  const { rows } = await sql<{ id: string; role_id: string }>`
    select u.id, u.role_id from sys_user u where u.agency_id = ${agencyId}`.execute(tx.db)
  for (const { id, role_id } of rows)
    tx.emit(MENU_CHANGED, {
      subject: `user:${id}`,
      rooms: [`user:${id}`],
      data: { roleId: role_id },
      recheck: true,
    })
  tx.afterCommit(() => rows.forEach(({ id }) => tx.context.forgetSessions(id)))
}

/**
 * Weights and locks of several agencies at once; the others keep theirs.
 * @throws Problem G404, G409 with the fresh rows when someone saved meanwhile, A-100 unless the
 * enabled ones total 100
 */
export async function weighAgencies(
  tx: CommandTx,
  { weights }: InputOf<typeof api.weighAgencies>,
): Promise<Agency[]> {
  const actor = staff(tx.actor)
  const { rows } = await sql<{
    id: string
    weight: number
    status: string
    version: number
  }>`select a.id, a.weight, a.status, a.version from agency a order by a.id for update`.execute(
    tx.db,
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const { agencyId, version } of weights) {
    const row = known.get(agencyId)
    if (!row) throw new Problem(NOT_FOUND)
    if (row.version !== version)
      throw await changedByOther(tx.db, 'agency', agencyId, {
        rows: await allAgencies(tx.db, actor),
      })
  }
  const given = new Map(weights.map((one) => [one.agencyId, one]))
  const total = rows.reduce(
    (sum, row) =>
      sum +
      ((given.get(row.id) ?? row).status === 'enabled' ? (given.get(row.id) ?? row).weight : 0),
    0,
  )
  if (total !== 100) throw new Problem(WEIGHTS_TOTAL, {}, { total })
  for (const { agencyId, weight, status } of weights) {
    await sql`
      update agency set weight = ${weight}, status = ${status}, version = version + 1,
        updated_at = clock_timestamp() where id = ${agencyId}`.execute(tx.db)
  }
  emitAgencies(
    tx,
    weights.map((one) => one.agencyId),
  )
  for (const { agencyId, weight, status } of weights) {
    const before = known.get(agencyId)
    tx.log({
      action: 'weight',
      targetKind: 'agency',
      targetId: agencyId,
      before: { weight: before?.weight, status: before?.status },
      after: { weight, status },
    })
  }
  return allAgencies(tx.db, actor)
}

async function allAgencies(db: Db, actor: StaffActor): Promise<Agency[]> {
  return (await readAgencies(db, agenciesInScope(actor), sql`a.name, a.id`)).map(shown)
}

async function lock(
  tx: CommandTx,
  id: string,
): Promise<{
  name: string
  officer_id: string
  in_house: boolean
  term_end: string | null
  version: number
}> {
  const { rows } = await sql<{
    name: string
    officer_id: string
    in_house: boolean
    term_end: string | null
    version: number
  }>`
    select a.name, a.officer_id, a.in_house, a.term_end::text as term_end, a.version
    from agency a
    where a.id = ${id}
    for update`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

async function setPhone(tx: CommandTx, id: string, phone: string): Promise<void> {
  await sql`
    update agency set officer_phone_enc = ${tx.context.secrets.seal('agency.officer_phone', id, phone)},
      officer_phone_last4 = ${phone.slice(-4)} where id = ${id}`.execute(tx.db)
}

async function refuseTaken(tx: CommandTx, id: string | null, name: string): Promise<void> {
  const { rows } = await sql<{
    taken: boolean
  }>`
    select exists (
      select 1 from agency a where lower(a.name) = lower(${name}) and a.id is distinct from ${id}::text
    ) as taken`.execute(tx.db)
  if (rows[0]?.taken) throw new Problem(NAME_TAKEN)
}

function emitAgencies(tx: CommandTx, ids: string[]): void {
  tx.emit(AGENCY_CHANGED, {
    subject: `agency:${ids[0]}`,
    rooms: ['scope:all', 'menu:urge_agencies', ...ids.map((id) => `scope:agency:${id}`)],
    data: { ids },
  })
}
