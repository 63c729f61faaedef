/**
 * Who collects in the demo: three agencies, seven groups, sixty people with stages, certificates
 * and this and next week's shifts.
 */
import { sql } from 'kysely'
import type { Shift } from '#shared/collection/collection-sets.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert } from './bulk-insert.ts'
import { rngOf } from './random.ts'

const EARLY = ['T0', 'T1', 'T2', 'S1', 'S2']
const LATE = ['S2', 'M1', 'M2', 'M3']

interface DemoGroup {
  name: string
  /** Collectors, specialists: how many of each, taken in the order of their accounts. */
  collectors: number
  specialists: number
  stages: readonly string[]
}
interface DemoDepartment {
  name: string
  groups: readonly DemoGroup[]
}
interface DemoAgency {
  name: string
  inHouse: boolean
  weight: number
  departments: readonly DemoDepartment[]
}

/**
 * Sixty people: 43 collectors, 6 specialists, 7 team leaders, 2 internal and 2 external
 * supervisors.
 */
const AGENCIES: readonly DemoAgency[] = [
  {
    name: 'Own recovery desk',
    inHouse: true,
    weight: 50,
    departments: [
      {
        name: 'Early stages',
        groups: [
          { name: 'Early 1', collectors: 9, specialists: 2, stages: EARLY },
          { name: 'Early 2', collectors: 8, specialists: 2, stages: EARLY },
        ],
      },
      {
        name: 'Late stages',
        groups: [{ name: 'Late 1', collectors: 6, specialists: 2, stages: LATE }],
      },
    ],
  },
  {
    name: 'Suraksha Recoveries',
    inHouse: false,
    weight: 30,
    departments: [
      {
        name: 'Suraksha phone desk',
        groups: [
          { name: 'Suraksha North', collectors: 6, specialists: 0, stages: LATE },
          { name: 'Suraksha South', collectors: 6, specialists: 0, stages: LATE },
        ],
      },
    ],
  },
  {
    name: 'Meridian Collections',
    inHouse: false,
    weight: 20,
    departments: [
      {
        name: 'Meridian phone desk',
        groups: [
          { name: 'Meridian 1', collectors: 4, specialists: 0, stages: LATE },
          { name: 'Meridian 2', collectors: 4, specialists: 0, stages: LATE },
        ],
      },
    ],
  },
]

export interface DemoCollector {
  id: string
  name: string
  agencyId: string
  departmentId: string
  groupId: string
  inHouse: boolean
  stages: readonly string[]
  capacity: number
}

export interface DemoFloor {
  agencies: { id: string; inHouse: boolean; weight: number }[]
  collectors: DemoCollector[]
}

/** @param asOf instant the book is of, in milliseconds */
export async function insertCollectionStaff(trx: Trx, asOf: number): Promise<DemoFloor> {
  const { rows: people } = await sql<{ id: string; name: string; mark: string }>`
    select u.id, u.user_name as name, g.unique_mark as mark from sys_user u
      join sys_role g on g.id = u.role_id order by length(u.account), u.account`.execute(trx)
  const take = (mark: string) => people.filter((person) => person.mark === mark)
  const [collectors, specialists, leaders, internal, external, managers] = [
    'collector',
    'collection_specialist',
    'team_leader',
    'internal_supervisor',
    'external_supervisor',
    'manager',
  ].map(take) as [
    typeof people,
    typeof people,
    typeof people,
    typeof people,
    typeof people,
    typeof people,
  ]
  const floor: DemoFloor = { agencies: [], collectors: [] }
  // agreements with outside agencies run to the end of the next year
  const termEnd = `${Number(istDay(asOf).slice(0, 4)) + 1}-12-31`
  for (const agency of AGENCIES) {
    const officer = agency.inHouse ? managers[0] : external.shift()
    const agencyId = await insertOne(
      trx,
      sql`
        insert into agency (name, officer_id, weight, in_house, term_end, status)
          values (${agency.name}, ${officer?.id}, ${agency.weight}, ${agency.inHouse},
          ${agency.inHouse ? null : termEnd}, 'enabled') returning id`,
    )
    floor.agencies.push({ id: agencyId, inHouse: agency.inHouse, weight: agency.weight })
    if (officer && !agency.inHouse)
      await sql`update sys_user set agency_id = ${agencyId} where id = ${officer.id}`.execute(trx)
    for (const department of agency.departments) {
      const head = agency.inHouse ? internal.shift() : officer
      const departmentId = await insertOne(
        trx,
        sql`
          insert into department (name, agency_id, officer_id)
            values (${department.name}, ${agencyId}, ${head?.id}) returning id`,
      )
      if (head && agency.inHouse)
        await sql`
          update sys_user set agency_id = ${agencyId}, department_id = ${departmentId} where id = ${head.id}`.execute(
          trx,
        )
      for (const group of department.groups) {
        const leader = leaders.shift()
        const groupId = await insertOne(
          trx,
          sql`
            insert into team_group (name, agency_id, department_id, officer_id)
              values (${group.name}, ${agencyId}, ${departmentId}, ${leader?.id}) returning id`,
        )
        const members = [
          ...collectors.splice(0, group.collectors),
          ...specialists.splice(0, group.specialists),
        ]
        for (const person of [...(leader ? [leader] : []), ...members]) {
          await sql`
            update sys_user set agency_id = ${agencyId}, department_id = ${departmentId},
              group_id = ${groupId}, status = 'normal' where id = ${person.id}`.execute(trx)
        }
        for (const member of members)
          floor.collectors.push({
            id: member.id,
            name: member.name,
            agencyId,
            departmentId,
            groupId,
            inHouse: agency.inHouse,
            stages: group.stages,
            capacity: group.stages === EARLY ? 180 : 150,
          })
      }
    }
  }
  await insertCollectors(trx, floor.collectors, istDay(asOf))
  return floor
}

async function insertOne(
  trx: Trx,
  statement: ReturnType<typeof sql<{ id: string }>>,
): Promise<string> {
  const { rows } = await statement.execute(trx)
  return (rows[0] as { id: string }).id
}

async function insertCollectors(
  trx: Trx,
  collectors: readonly DemoCollector[],
  today: string,
): Promise<void> {
  const rows = collectors.map((person, at) => {
    const rng = rngOf('collector', at)
    // two certificates have run out, so that the desk shows why their holders get nothing
    const expiry =
      at === 7 || at === 33 ? addDays(today, -rng.int(3, 40)) : addDays(today, rng.int(60, 900))
    return {
      user_id: person.id,
      stage_ids: [...person.stages],
      weight: rng.pick([8, 10, 10, 12]),
      seat_number: String(2_001 + at),
      cert_no: `DRA${100_200 + at * 37}`,
      cert_expiry: expiry,
      capacity: person.capacity,
    }
  })
  await bulkInsert(
    trx,
    'collector',
    {
      user_id: 'text',
      stage_ids: 'text[]',
      weight: 'int',
      seat_number: 'text',
      cert_no: 'text',
      cert_expiry: 'date',
      capacity: 'int',
    },
    rows,
  )
  const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7))
  const weeks = collectors.flatMap((person, at) =>
    [-1, 0, 1].map((week) => ({
      user_id: person.id,
      week_start: addDays(monday, 7 * week),
      days: weekOf(at, week),
    })),
  )
  await bulkInsert(
    trx,
    'duty_schedule',
    { user_id: 'text', week_start: 'date', days: 'text[]' },
    weeks,
  )
}

/**
 * Six days of work with a free day that goes round, now and then a day of leave; the first of each
 * group is there every day.
 */
function weekOf(at: number, week: number): Shift[] {
  const rng = rngOf('duty', at, week)
  const usual: Shift = rng.weighted([70, 15, 15]) === 0 ? 'day' : rng.pick(['morning', 'evening'])
  return Array.from({ length: 7 }, (_, day): Shift => {
    if (at % 9 === 0) return 'day'
    if ((at + week + 7) % 7 === day) return 'off'
    return rng.chance(0.04) ? 'leave' : usual
  })
}
