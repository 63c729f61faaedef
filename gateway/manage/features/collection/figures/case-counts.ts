/**
 * How many cases each place has by stage: kept by triggers of `collection_case` as changes, which are
 * added up here from time to time. A reader sums both tables, so it is exact at any moment.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { IST_TODAY } from '../cases/case-row.ts'

/** Days that are over are read by nobody; triggers count this many of them. */
const KEPT_DAYS = 7

const KEY = 'day, stage_id, collector_id, group_id, department_id, agency_id'
/** What is counted, by column of `case_count`. */
const COUNTS = [
  'going',
  'open',
  'unallocated',
  'outstanding',
  'undated',
  'not_contacted',
  'held',
  'ended',
  'contacted',
] as const

const each = (write: (column: string) => string): RawBuilder<unknown> =>
  sql.raw(COUNTS.map(write).join(', '))

/** The counts that hold now and those of today, as changes: a reader sums them by place. */
export const CASE_COUNTS = sql`(
  select ${sql.raw(KEY)}, ${each((column) => column)} from case_count
  where day in ('-infinity', ${IST_TODAY})
  union all
  select ${sql.raw(KEY)}, ${each((column) => column)} from case_count_change
  where day in ('-infinity', ${IST_TODAY})
)`

/** Adds up what changed. Two at once wait for each other, and take different changes. */
export async function foldCaseCounts(db: Db): Promise<void> {
  await sql`
    with old as (
      delete from case_count where day > '-infinity' and day < ${IST_TODAY} - ${sql.lit(KEPT_DAYS)}
    ), changes as (
      delete from case_count_change returning *
    )
    insert into case_count as k (${sql.raw(KEY)}, ${each((column) => column)})
    select ${sql.raw(KEY)}, ${each((column) => `sum(${column})`)} from changes
    where day = '-infinity' or day >= ${IST_TODAY} - ${sql.lit(KEPT_DAYS)}
    group by ${sql.raw(KEY)} order by ${sql.raw(KEY)}
    on conflict (${sql.raw(KEY)}) do update
      set ${each((column) => `${column} = k.${column} + excluded.${column}`)}`.execute(db)
}

const IS_READ = `k.day in ('-infinity', (select ist_day(clock_timestamp())))`

/** By place and stage, what is counted less what is kept. */
const DIFFERENCES = `
  select ${KEY}, ${COUNTS.map((column) => `sum(${column}) as ${column}`).join(', ')}
  from (
    select ${KEY}, ${COUNTS.join(', ')} from case_counted k where ${IS_READ}
    union all
    select ${KEY}, ${COUNTS.map((column) => `-${column}`).join(', ')} from case_count k where ${IS_READ}
    union all
    select ${KEY}, ${COUNTS.map((column) => `-${column}`).join(', ')} from case_count_change k
    where ${IS_READ}
  ) k
  group by ${KEY}
  having (${COUNTS.map((column) => `sum(${column})`).join(', ')})
    <> (${COUNTS.map(() => '0').join(', ')})`

/** The ids of the places whose counts are not what their cases are. */
export const WRONG_CASE_COUNTS = `
  select concat_ws(' ', nullif(d.day, '-infinity'), d.stage_id, nullif(d.agency_id, ''),
    nullif(d.department_id, ''), nullif(d.group_id, ''), nullif(d.collector_id, '')) as id
  from (${DIFFERENCES}) d`

/**
 * Writes the differences as changes. Cases and counts are read as of one moment, and what happens
 * meanwhile leaves changes of its own, so nobody has to wait.
 */
export const MEND_CASE_COUNTS = `
  insert into case_count_change (${KEY}, ${COUNTS.join(', ')}) ${DIFFERENCES}`
