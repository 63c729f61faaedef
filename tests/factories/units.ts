/** Agencies with departments, groups and collectors. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import { PASSWORD } from '#tests/support/manage.ts'

export interface Unit {
  agencyId: string
  departmentId: string
  groupId: string
}

let made = 0
let hash: Promise<string> | null = null

/** An agency with one department and one group. */
export async function makeUnit(
  { database }: { database: Database },
  {
    weight = 0,
    status = 'enabled',
    inHouse = true,
    name,
  }: { weight?: number; status?: 'enabled' | 'locked'; inHouse?: boolean; name?: string } = {},
): Promise<Unit> {
  made += 1
  const called = name ?? `Agency ${made}`
  const { rows } = await sql<Unit>`
    with officer as (select u.id from sys_user u order by u.id limit 1),
    a as (insert into agency (name, officer_id, weight, in_house, status)
      select ${called}, o.id, ${weight}, ${inHouse}, ${status} from officer o returning id),
    d as (insert into department (name, agency_id, officer_id) select ${`${called}, department`}, a.id, o.id
      from a, officer o returning id, agency_id),
    g as (insert into team_group (name, agency_id, department_id, officer_id)
      select ${`${called}, group`}, d.agency_id, d.id, o.id from d, officer o
      returning id, agency_id, department_id)
    select g.agency_id as "agencyId", g.department_id as "departmentId", g.id as "groupId" from g`.execute(
    database.kysely,
  )
  return rows[0] as Unit
}

export interface CollectorGiven {
  /** An existing account; absent = a new one. */
  account?: string
  role?: string
  stageIds?: string[]
  capacity?: number
  weight?: number
  onDuty?: boolean
  allocation?: boolean
  /** IST day the certificate ends; null = none. */
  certExpiry?: string | null
  addressBookVisible?: boolean
}

/**
 * A collector of the unit, by default certified and on duty all week.
 * @returns their id and account
 */
export async function makeCollector(
  { database }: { database: Database },
  unit: Unit,
  given: CollectorGiven = {},
): Promise<{ userId: string; account: string }> {
  const {
    role = 'collector',
    stageIds = ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'],
    capacity = 200,
    weight = 10,
    onDuty = true,
    allocation = true,
    certExpiry = '2099-12-31',
    addressBookVisible = false,
  } = given
  const account = given.account ?? `field${(made += 1)}`
  hash ??= hashPassword(PASSWORD)
  const passwordHash = await hash
  await sql`
    insert into sys_user (account, nickname, user_name, password_hash, role_id, status)
      select ${account}, ${account}, ${`Collector ${account}`}, ${passwordHash}, g.id, 'normal'
      from sys_role g where g.unique_mark = ${role}
    on conflict (lower(account)) do nothing`.execute(database.kysely)
  const { rows } = await sql<{ id: string }>`
    update sys_user set agency_id = ${unit.agencyId}, department_id = ${unit.departmentId},
      group_id = ${unit.groupId}, allocation_flag = ${allocation} where lower(account) = lower(${account})
      returning id`.execute(database.kysely)
  const userId = (rows[0] as { id: string }).id
  await sql`
    insert into collector (user_id, stage_ids, weight, capacity, cert_no, cert_expiry, address_book_visible)
      values (${userId}, ${stageIds}, ${weight}, ${capacity}, ${certExpiry === null ? null : 'DRA-1'},
      ${certExpiry}, ${addressBookVisible})`.execute(database.kysely)
  if (onDuty) {
    await sql`
      insert into duty_schedule (user_id, week_start, days)
      select ${userId}, date_trunc('week', (clock_timestamp() at time zone 'Asia/Kolkata'))::date + n * 7,
        array_fill('day'::text, array[7]) from generate_series(-1, 1) n`.execute(database.kysely)
  }
  return { userId, account }
}

/** A leader of the unit without cases. @returns their id and account */
export async function makeLeader(
  { database }: { database: Database },
  unit: Unit,
  role: 'team_leader' | 'internal_supervisor' | 'external_supervisor',
): Promise<{ userId: string; account: string }> {
  const account = `leader${(made += 1)}`
  hash ??= hashPassword(PASSWORD)
  const passwordHash = await hash
  const { rows } = await sql<{ id: string }>`
    insert into sys_user (account, nickname, user_name, password_hash, role_id, agency_id, department_id,
      group_id)
    select ${account}, ${account}, ${`Leader ${account}`}, ${passwordHash}, g.id, ${unit.agencyId},
      ${unit.departmentId}, ${unit.groupId} from sys_role g where g.unique_mark = ${role}
      returning id`.execute(database.kysely)
  return { userId: (rows[0] as { id: string }).id, account }
}

/**
 * Three agencies (the first in-house) with two collectors and a supervisor each: nine users who
 * must not see each other's cases.
 */
export interface ThreeAgencies {
  units: Unit[]
  /** By agency: two collectors, then their supervisor. */
  people: { userId: string; account: string }[][]
}

export async function makeThreeAgencies(floor: { database: Database }): Promise<ThreeAgencies> {
  const units: Unit[] = []
  const people: { userId: string; account: string }[][] = []
  for (const [n, weight] of [50, 30, 20].entries()) {
    const unit = await makeUnit(floor, { weight, inHouse: n === 0 })
    units.push(unit)
    people.push([
      await makeCollector(floor, unit),
      await makeCollector(floor, unit),
      await makeLeader(floor, unit, n === 0 ? 'internal_supervisor' : 'external_supervisor'),
    ])
  }
  return { units, people }
}
