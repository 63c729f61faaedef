/** The facts of a range, summed by key in one statement. */
import { type RawBuilder, sql } from 'kysely'
import type { listPerformance as call } from '#shared/collection/figures-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { factsInScope, inRange, inUnits, type PlaceColumns } from './figure-parts.ts'

export type Input = InputOf<typeof call>

export type Group = Input['groupBy']

/** A kind of fact: its table and the column of its time. */
interface Fact {
  from: string
  at: string
  place: PlaceColumns
  where: string
}

const place = (alias: string, collector: string): PlaceColumns => ({
  agency: `${alias}.agency_id`,
  department: `${alias}.department_id`,
  group: `${alias}.group_id`,
  collector: `${alias}.${collector}`,
  stage: `${alias}.stage_id`,
})

const GIVEN: Fact = {
  from: 'case_allocation m',
  at: 'm.at',
  where: 'm.to_user_id is not null and m.to_user_id is distinct from m.from_user_id',
  place: {
    agency: 'm.to_agency_id',
    department: 'm.to_department_id',
    group: 'm.to_group_id',
    collector: 'm.to_user_id',
    stage: 'm.to_stage',
  },
}

const FOLLOWED: Fact = {
  from: 'follow_up f',
  at: 'f.created_at',
  where: 'true',
  place: place('f', 'operator_id'),
}

const CALLED: Fact = {
  from: 'call_log l',
  at: 'l.started_at',
  where: `l.kind = 'case'`,
  place: place('l', 'user_id'),
}

const PROMISED: Fact = {
  from: 'case_promise p',
  at: 'p.made_at',
  where: 'true',
  place: place('p', 'collector_id'),
}

const SETTLED: Fact = {
  from: 'case_promise p',
  at: 'p.settled_at',
  where: `p.state in ('kept', 'keptPart', 'broken')`,
  place: place('p', 'collector_id'),
}

export const RECOVERED: Fact = {
  from: 'recovery_bill b',
  at: 'b.paid_at',
  where: 'true',
  place: place('b', 'collector_id'),
}

const REDUCED: Fact = {
  from: 'reduction d',
  at: 'd.used_at',
  where: 'd.used_at is not null',
  place: place('d', 'collector_id'),
}

export interface Line {
  /** null = the sum of all. */
  key: string | null
  isSum: boolean
  given: number
  givenAmount: number
  contacted: number
  calls: number
  reached: number
  follows: number
  promises: number
  settled: number
  kept: number
  paidCases: number
  paid: number
  reduced: number
  firstSec: number
  firsts: number
}

const KEY: Record<Exclude<Group, 'day'>, keyof PlaceColumns> = {
  collector: 'collector',
  group: 'group',
  department: 'department',
  agency: 'agency',
  stage: 'stage',
}

function keyOf(group: Group, fact: Fact): RawBuilder<string | null> {
  return group === 'day'
    ? sql.raw(`(${fact.at} at time zone 'Asia/Kolkata')::date::text`)
    : sql.ref(fact.place[KEY[group]])
}

/** Lines by key, and their sum over distinct cases. */
export function linesOf(actor: StaffActor, input: Input): RawBuilder<unknown> {
  const part = (fact: Fact, measures: RawBuilder<unknown>) => sql`
    select ${keyOf(input.groupBy, fact)} as key, ${measures} from ${sql.raw(fact.from)}
      where ${sql.raw(fact.where)} and ${inRange(fact.at, input)} and ${factsInScope(actor, fact.place)}
      and ${inUnits(fact.place, input)}`
  const bySum = (inner: RawBuilder<unknown>, measures: RawBuilder<unknown>) =>
    sql`
      select x.key, grouping(x.key) = 1 as is_sum, ${measures} from (${inner}) x
        group by grouping sets ((x.key), ())`
  return sql`
    with given as (
      select g.key, g.is_sum, count(*)::int as cases, sum(g.amount)::bigint as amount
      from (select x.key, grouping(x.key) = 1 as is_sum, max(x.outstanding) as amount from (${part(
        GIVEN,
        sql`
        m.case_id, coalesce(m.outstanding, 0) as outstanding`,
      )}) x group by grouping sets ((x.key, x.case_id), (x.case_id))) g group by g.key, g.is_sum
    ), followed as (
      ${bySum(
        part(FOLLOWED, sql`f.case_id, f.reachable, f.first_contact_sec`),
        sql`
        count(distinct x.case_id)::int as cases, count(*)::int as n,
          count(*) filter (where x.reachable)::int as reached,
          coalesce(sum(x.first_contact_sec), 0)::bigint as sec, count(x.first_contact_sec)::int as firsts`,
      )}
    ), called as (
      ${bySum(
        part(CALLED, sql`l.first_contact_sec`),
        sql`
        count(*)::int as n, coalesce(sum(x.first_contact_sec), 0)::bigint as sec,
          count(x.first_contact_sec)::int as firsts`,
      )}
    ), promised as (
      ${bySum(part(PROMISED, sql`1 as one`), sql`count(*)::int as n`)}
    ), settled as (
      ${bySum(
        part(SETTLED, sql`p.state`),
        sql`
        count(*)::int as n, count(*) filter (where x.state <> 'broken')::int as kept`,
      )}
    ), recovered as (
      ${bySum(
        part(RECOVERED, sql`b.case_id, b.amount`),
        sql`
        count(distinct x.case_id)::int as cases, coalesce(sum(x.amount), 0)::bigint as amount`,
      )}
    ), reduced as (
      ${bySum(part(REDUCED, sql`d.used_amount`), sql`coalesce(sum(x.used_amount), 0)::bigint as amount`)}
    ), keys as (
      select key, is_sum from given union select key, is_sum from followed union select key, is_sum
        from called union select key, is_sum from promised union select key, is_sum from settled union
        select key, is_sum from recovered
      union select key, is_sum from reduced
    )
    select k.key, k.is_sum as "isSum", coalesce(g.cases, 0) as given, coalesce(g.amount,
      0) as "givenAmount", coalesce(f.cases, 0) as contacted, coalesce(c.n, 0) as calls, coalesce(f.reached,
      0) as reached, coalesce(f.n, 0) as follows,
      coalesce(p.n, 0) as promises, coalesce(s.n, 0) as settled, coalesce(s.kept, 0) as kept,
        coalesce(r.cases, 0) as "paidCases", coalesce(r.amount, 0) as paid, coalesce(d.amount,
        0) as reduced,
      coalesce(f.sec, 0) + coalesce(c.sec, 0) as "firstSec", coalesce(f.firsts, 0) + coalesce(c.firsts,
        0) as firsts, clock_timestamp() as now
    from keys k
    ${sql.join(
      [
        'given g',
        'followed f',
        'called c',
        'promised p',
        'settled s',
        'recovered r',
        'reduced d',
      ].map((cte) => {
        const alias = cte.split(' ')[1] as string
        return sql.raw(
          `left join ${cte} on ${alias}.key is not distinct from k.key and ${alias}.is_sum = k.is_sum`,
        )
      }),
      sql` `,
    )}`
}
