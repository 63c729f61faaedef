/** One person's day, from the parts of all features, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { SHIFT_HOURS, type Shift } from '#shared/collection/collection-sets.ts'
import type { workDay } from '#shared/home/day-api.ts'
import { DAY_FIGURE_KEYS, type DayFigureKey, NEXT_KEYS } from '#shared/home/day-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { type DaySums, figureOfDay } from './day-figure.ts'
import type { ArrivalRows, DayFigure, HomePart, LaneRows, NextWork, Target } from './home-part.ts'

type Day = DataOf<typeof workDay>

/** News of longer ago are no news. */
const LONGEST_AWAY = '7 days'
/** Times of a lane are collected over half an hour: a leader has hundreds. */
const LANE_STEP_S = 1_800

interface Found {
  asOf: string
  today: string
  hour: number
  next: { count: number; time: string | null; id: string | null }[]
  shift: Shift | null
  lane: { time: string; count: number; id: string | null; name: string | null }[][]
  figures: { sums: DaySums; goal: number | null }[]
  since: string | null
  arrivals: { count: number; amount: number }[]
}

export async function findDay(
  db: Db,
  actor: StaffActor,
  parts: readonly HomePart[],
  { since }: InputOf<typeof workDay>,
): Promise<Day> {
  const isAdministrator = actor.rights.roleMark === ADMINISTRATOR
  const own = parts.filter(({ forAdministrator = false }) => forAdministrator || !isAdministrator)
  const next = own
    .flatMap((part) => part.next?.(actor) ?? [])
    .toSorted((a, b) => NEXT_KEYS.indexOf(a.key) - NEXT_KEYS.indexOf(b.key))
  const lane = own.flatMap((part) => part.lane?.(actor) ?? [])
  const figures = own
    .flatMap((part) => part.figures?.(actor) ?? [])
    .toSorted((a, b) => DAY_FIGURE_KEYS.indexOf(a.key) - DAY_FIGURE_KEYS.indexOf(b.key))
  const arrivals = own.flatMap((part) => part.arrivals?.(actor) ?? [])
  const shift = own.flatMap((part) => part.shift?.(actor) ?? [])[0] ?? sql`null`

  const goals = Object.assign(
    {},
    ...(await Promise.all(own.map(async (part) => (await part.goals?.(actor)) ?? {}))),
  ) as Partial<Record<DayFigureKey, number | null>>
  const { rows } = await sql<{ found: Found }>`
    with clock as materialized (
      select c.now, c.midnight, greatest(c.now - interval '${sql.raw(LONGEST_AWAY)}',
        ${since === undefined ? lastUse(actor) : sql`${since}::timestamptz`}) as since
      from (
        select n.now, date_trunc('day', n.now at time zone 'Asia/Kolkata')
          at time zone 'Asia/Kolkata' as midnight
        from (select clock_timestamp() as now) n
      ) c
    )
    select json_build_object('asOf', ${isoTime('k.now')},
      'today', (k.now at time zone 'Asia/Kolkata')::date::text,
      'hour', extract(hour from k.now at time zone 'Asia/Kolkata')::int,
      'next', ${arrayOf(next.map(nextJson))}, 'shift', ${shift}, 'lane', ${arrayOf(lane.map(laneJson))},
      'figures', ${arrayOf(figures.map(figureJson))}, 'since', ${isoTime('k.since')},
      'arrivals', ${arrayOf(arrivals.map(arrivalJson))}) as found
    from clock k`.execute(db)
  const { found } = rows[0] as { found: Found }

  const dated = (target: string): string => target.replaceAll('{today}', found.today)
  const hours = SHIFT_HOURS[found.shift ?? 'off']
  return {
    next: withRows(next, found.next)
      .filter(([, { count }]) => count > 0)
      .map(([{ key, part = null, target }, { count, time, id }]) => ({
        key,
        part,
        count,
        time,
        target: addressOf(target, id),
      })),
    lane: {
      shift: hours === null ? null : { from: hours.from, to: hours.to },
      marks: withRows(lane, found.lane).flatMap(([{ kind, target, list }, marks]) =>
        marks.map(({ time, count, id, name }) => ({
          kind,
          time,
          count,
          name,
          target: count === 1 ? addressOf(target, id) : list,
        })),
      ),
    },
    figures: withRows(figures, found.figures).map(([{ key, target }, { sums, goal }]) => ({
      key,
      ...figureOfDay(key, sums, found.hour),
      goal: goals[key] ?? (goal === 0 ? null : goal),
      target: dated(target),
    })),
    since:
      found.since === null
        ? null
        : {
            time: found.since,
            arrivals: withRows(arrivals, found.arrivals)
              .filter(([, { count }]) => count > 0)
              .map(([{ key, target, amount: hasAmount }, { count, amount }]) => ({
                key,
                count,
                amount: hasAmount === undefined ? null : amount,
                target: dated(target),
              })),
          },
    asOf: found.asOf,
  }
}

/** When another session of the person was used last. */
function lastUse({ userId, sessionId }: StaffActor): RawBuilder<string | null> {
  return sql<string | null>`(
    select max(s.last_seen_at) from sys_session s where s.user_id = ${userId} and s.id <> ${sessionId})`
}

function nextJson({ count, time, id }: NextWork): RawBuilder<unknown> {
  return sql`(
    select json_build_object('count', n.count, 'time', ${isoTime('n.time')}, 'id', n.id)
    from (select ${count} as count, (${time})::timestamptz as time,
      ${id ?? sql`null`}::text as id) n)`
}

function laneJson({ rows, at, id, name }: LaneRows): RawBuilder<unknown> {
  const time = sql.raw(at)
  return sql`(
    select coalesce(json_agg(json_build_object('time', ${isoTime('m.time')}, 'count', m.count, 'id', m.id,
      'name', m.name) order by m.time), '[]')
    from (
      select min(${time}) as time, count(*)::int as count,
        case when count(*) = 1 then min(${sql.raw(id)}) end as id,
        case when count(*) = 1 then min(${sql.raw(name)}) end as name
      from ${rows} and ${time} >= k.midnight and ${time} < k.midnight + interval '1 day'
      group by floor(extract(epoch from ${time}) / ${sql.lit(LANE_STEP_S)})
    ) m)`
}

/** Sums by hour of today and yesterday, and of each what was there at this minute of the day. */
function figureJson({
  rows,
  at,
  amount = sql`1`,
  goal = sql`null`,
}: DayFigure): RawBuilder<unknown> {
  const time = sql.raw(at)
  return sql`json_build_object('goal', (${goal})::bigint, 'sums', (
    select coalesce(json_agg(json_build_array(f.past, f.hour, f.n, f.sum, f.n_then, f.sum_then)), '[]')
    from (
      select (${time} < k.midnight)::int as past,
        extract(hour from ${time} at time zone 'Asia/Kolkata')::int as hour,
        count(*)::int as n, coalesce(sum(${amount}), 0)::bigint as sum,
        count(*) filter (where ${time} <= k.now - interval '1 day')::int as n_then,
        coalesce(sum(${amount}) filter (where ${time} <= k.now - interval '1 day'), 0)::bigint as sum_then
      from ${rows} and ${time} >= k.midnight - interval '1 day' and ${time} < k.midnight + interval '1 day'
      group by 1, 2
    ) f))`
}

function arrivalJson({ rows, at, amount = sql`0` }: ArrivalRows): RawBuilder<unknown> {
  return sql`(
    select json_build_object('count', count(*)::int, 'amount', coalesce(sum(${amount}), 0)::bigint)
    from ${rows} and ${sql.raw(at)} > k.since)`
}

function arrayOf(items: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return items.length === 0 ? sql`'[]'::json` : sql`json_build_array(${sql.join(items)})`
}

function withRows<Query, Row>(queries: readonly Query[], rows: readonly Row[]): [Query, Row][] {
  // the statement answers each one, in order
  return queries.map((one, at) => [one, rows[at] as Row])
}

/** @param id a target of one row has one */
function addressOf(target: Target, id: string | null): string {
  return typeof target === 'string' ? target : target(id as string)
}
