/** The weekly duty table: who works when. Weeks begin on Monday, days are IST days. */
import { type RawBuilder, sql } from 'kysely'
import { SHIFTS, type Shift } from '#shared/collection/collection-sets.ts'
import { SCHEDULE_CHANGED } from '#shared/collection/collection-live.ts'
import type * as api from '#shared/collection/setup-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { TODAY } from './duty.ts'
import { emitCollector } from './save-person.ts'
import { peopleInScope } from './unit-scope.ts'

type Row = DataOf<typeof api.saveSchedule>['rows'][number]

/** @throws Problem G-FIELD unless the day is a Monday */
export function requireMonday(day: string, field: string): void {
  if (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1)
    throw new Problem(INVALID_FIELDS, {}, { fields: { [field]: 'monday' } })
}

/** Everyone of the caller's scope; a person without a row is off all week, with version 0. */
export async function findSchedule(
  db: Db,
  actor: StaffActor,
  { weekStart, ...units }: InputOf<typeof api.listSchedule>,
): Promise<DataOf<typeof api.listSchedule>> {
  requireMonday(weekStart, 'weekStart')
  const { rows } = await sql<Row>`
    select u.id as "userId", u.user_name as name, u.agency_id as "agencyId", u.group_id as "groupId",
      t.name as "groupName", k.stage_ids as "stageIds", ${daysOfWeek('s')} as days, coalesce(s.version,
      0) as version
    from collector k join sys_user u on u.id = k.user_id left join team_group t on t.id = u.group_id left
      join duty_schedule s on s.user_id = u.id and s.week_start = ${weekStart}::date
    where ${peopleOnTable(actor, units)}
    order by t.name nulls last, u.user_name, u.id`.execute(db)
  const { rows: known } = await sql<{ stages: string[]; today: string; now: string }>`
    select (select coalesce(array_agg(s.stage_id order by s.min_days), '{}') from stage s
      where s.status = 'enabled') as stages, ${TODAY}::text as today, clock_timestamp() as now`.execute(
    db,
  )
  const { stages, today, now } = known[0] as { stages: string[]; today: string; now: string }
  return { rows, stages, today, asOf: now }
}

/** People on the caller's table, over `sys_user u`. */
export function peopleOnTable(
  actor: StaffActor,
  { agencyId, departmentId, groupId }: Omit<InputOf<typeof api.listSchedule>, 'weekStart'>,
): RawBuilder<boolean> {
  return sql<boolean>`(u.status in ('enabled', 'normal') and ${peopleInScope(actor)}
    and ${
      agencyId === undefined
        ? sql`
      true`
        : sql`u.agency_id = ${agencyId}`
    }
        and ${departmentId === undefined ? sql`true` : sql`u.department_id = ${departmentId}`}
        and ${groupId === undefined ? sql`true` : sql`u.group_id = ${groupId}`})`
}

/** Shifts of a week; off without a row. */
export function daysOfWeek(alias: string): RawBuilder<Shift[]> {
  return sql<Shift[]>`coalesce(${sql.ref(`${alias}.days`)}, array_fill('off'::text, array[7]))`
}

/**
 * @throws Problem G404 for a person outside the caller's scope, G409 when someone saved the week
 * meanwhile, G-FIELD
 */
export async function saveSchedule(
  tx: CommandTx,
  { weekStart, rows }: InputOf<typeof api.saveSchedule>,
): Promise<Row[]> {
  requireMonday(weekStart, 'weekStart')
  const actor = staff(tx.actor)
  const saved = await writeWeeks(tx, actor, weekStart, rows)
  const fresh = await findSchedule(tx.db, actor, { weekStart })
  return fresh.rows.filter((row) => saved.has(row.userId))
}

async function writeWeeks(
  tx: CommandTx,
  actor: StaffActor,
  weekStart: string,
  rows: readonly { userId: string; days: readonly Shift[]; version: number }[],
): Promise<Set<string>> {
  const userIds = [...new Set(rows.map((row) => row.userId))].toSorted()
  const { rows: known } = await sql<{
    id: string
    group_id: string | null
    agency_id: string | null
    version: number
    days: Shift[] | null
  }>`
    select u.id, u.group_id, u.agency_id, coalesce(s.version, 0) as version, s.days from collector k
      join sys_user u on u.id = k.user_id left join duty_schedule s on s.user_id = u.id
      and s.week_start = ${weekStart}::date
    where u.id = any(${userIds}) and ${peopleInScope(actor)} order by u.id for update of k`.execute(
    tx.db,
  )
  const people = new Map(known.map((row) => [row.id, row]))
  for (const row of rows) {
    const person = people.get(row.userId)
    if (!person) throw new Problem(NOT_FOUND)
    if (person.version !== row.version)
      throw await changedByOther(
        tx.db,
        'schedule',
        `${row.userId}:${weekStart}`,
        await findSchedule(tx.db, actor, { weekStart }),
      )
  }
  for (const { userId, days } of rows) {
    await sql`
      insert into duty_schedule (user_id, week_start, days)
        values (${userId}, ${weekStart}::date, ${[...days]})
      on conflict (user_id, week_start) do update
        set days = excluded.days, version = duty_schedule.version + 1, updated_at = clock_timestamp()`.execute(
      tx.db,
    )
    await emitCollector(tx, userId)
    tx.log({
      action: 'edit',
      targetKind: 'schedule',
      targetId: `${userId}:${weekStart}`,
      before: people.get(userId)?.days ?? null,
      after: days,
    })
  }
  const groupIds = [...new Set(known.flatMap((row) => row.group_id ?? []))]
  const agencyIds = [...new Set(known.flatMap((row) => row.agency_id ?? []))]
  tx.emit(SCHEDULE_CHANGED, {
    subject: `schedule:${weekStart}`,
    rooms: [
      'scope:all',
      'menu:urge_schedule',
      ...groupIds.map((id) => `scope:group:${id}`),
      ...agencyIds.map((id) => `scope:agency:${id}`),
    ],
    data: { weekStart, groupIds },
  })
  return new Set(userIds)
}

/** Copies one week's shifts over another's. @returns people whose week was copied */
export async function copySchedule(
  tx: CommandTx,
  { fromWeek, toWeek, groupIds }: InputOf<typeof api.copySchedule>,
): Promise<number> {
  requireMonday(fromWeek, 'fromWeek')
  requireMonday(toWeek, 'toWeek')
  if (fromWeek === toWeek) throw new Problem(INVALID_FIELDS, {}, { fields: { toWeek: 'same' } })
  const actor = staff(tx.actor)
  const { rows } = await sql<{ userId: string; days: Shift[]; version: number }>`
    select u.id as "userId", f.days, coalesce(t.version, 0) as version from duty_schedule f
      join sys_user u on u.id = f.user_id left join duty_schedule t on t.user_id = f.user_id
      and t.week_start = ${toWeek}::date
    where f.week_start = ${fromWeek}::date
      and u.status in ('enabled', 'normal')
      and ${peopleInScope(actor)}
      and ${groupIds === undefined ? sql`true` : sql`u.group_id = any(${groupIds})`}`.execute(tx.db)
  if (rows.length > 0) await writeWeeks(tx, actor, toWeek, rows)
  return rows.length
}

/** Writes the valid rows that change something, and reports the faulty ones by line and column. */
export async function importSchedule(
  tx: CommandTx,
  { weekStart, rows }: InputOf<typeof api.importSchedule>,
): Promise<DataOf<typeof api.importSchedule>> {
  requireMonday(weekStart, 'weekStart')
  const actor = staff(tx.actor)
  const accounts = rows.map((row) => row.account.trim().toLowerCase())
  const { rows: known } = await sql<{
    id: string
    account: string
    days: Shift[]
    version: number
  }>`
    select u.id, lower(u.account) as account, ${daysOfWeek('s')} as days, coalesce(s.version, 0) as version
      from collector k join sys_user u on u.id = k.user_id left join duty_schedule s on s.user_id = u.id
      and s.week_start = ${weekStart}::date
    where lower(u.account) = any(${accounts}) and ${peopleInScope(actor)}`.execute(tx.db)
  const people = new Map(known.map((row) => [row.account, row]))
  const failed: DataOf<typeof api.importSchedule>['failed'] = []
  const right = new Map<
    string,
    { userId: string; days: Shift[]; version: number; isNew: boolean }
  >()
  rows.forEach(({ days }, at) => {
    const person = people.get(accounts[at] as string)
    // the first line of a file is its heading
    const line = at + 2
    if (!person) return void failed.push({ row: line, column: 'account', messageKey: 'unknown' })
    if (right.has(person.id))
      return void failed.push({ row: line, column: 'account', messageKey: 'twice' })
    const wrong = days.findIndex((day) => !isShift(day.trim().toLowerCase()))
    if (wrong >= 0)
      return void failed.push({ row: line, column: String(wrong + 1), messageKey: 'shift' })
    const read = days.map((day) => day.trim().toLowerCase() as Shift)
    right.set(person.id, {
      userId: person.id,
      days: read,
      version: person.version,
      isNew: read.join() !== person.days.join(),
    })
  })
  const changed = [...right.values()].filter(({ isNew }) => isNew)
  if (changed.length > 0) await writeWeeks(tx, actor, weekStart, changed)
  return { ok: right.size, failed }
}

function isShift(text: string): text is Shift {
  return (SHIFTS as readonly string[]).includes(text)
}
