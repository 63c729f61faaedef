import { sql } from 'kysely'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { BACKFILL_JOB } from './backfill-job.ts'
import { FILLED_TOGETHER, fillRollups, IS_FILLING, POSTED, ROLLUPS } from './rollup.ts'
import type { Rollup } from './rollup-types.ts'

const NAME = 'reportRefresh'

/** Fills the days that were marked since the last look, and publishes which rollups changed. */
export const reportRefresh: ScheduledClass = {
  name: NAME,
  cycle: 'every:10',
  async run(context) {
    await fillOldBook(context)
    const asOf = await now(context)
    await spreadPosted(context)
    let days = 0
    const changed = new Set<Rollup>()
    for (const rollups of FILLED_TOGETHER)
      for (const day of await markedDays(context, rollups)) {
        days += 1
        for (const rollup of await fillMarked(context, rollups, day)) changed.add(rollup)
      }
    await publish(context, asOf, [...changed])
    return { days }
  },
}

async function now({ database }: AppContext): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(
    database.kysely,
  )
  return (rows[0] as { now: string }).now
}

/**
 * A payment leaves one mark for the rollups that follow postings, because it is written on a hot
 * path; here it becomes one of each.
 */
async function spreadPosted({ database }: AppContext): Promise<void> {
  const names = ROLLUPS.flatMap(({ name, followsPostings }) => (followsPostings ? [name] : []))
  await sql`
    with posted as (
      delete from report_mark m where m.rollup = ${POSTED} returning m.day
    )
    insert into report_mark (rollup, day)
    select r.name, d.day
    from (select distinct p.day from posted p) d
    cross join unnest(${names}::text[]) r (name)`.execute(database.kysely)
}

async function markedDays({ database }: AppContext, rollups: readonly Rollup[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct m.day::text as day from report_mark m
    where m.rollup = any(${namesOf(rollups)}::text[])
    order by 1 desc`.execute(database.kysely)
  return rows.map(({ day }) => day)
}

/**
 * Fills those of the rollups that are marked. A mark that is committed after the deletion stays, and
 * the day is filled once more.
 */
function fillMarked(
  context: AppContext,
  rollups: readonly Rollup[],
  day: string,
): Promise<Rollup[]> {
  return inTransaction(context.database, async (trx) => {
    const { rows } = await sql<{ rollup: string }>`
      delete from report_mark m
      where m.rollup = any(${namesOf(rollups)}::text[]) and m.day = ${day}::date
      returning m.rollup`.execute(trx)
    const marked = new Set(rows.map(({ rollup }) => rollup))
    return fillRollups(
      trx,
      rollups.filter(({ name }) => marked.has(name)),
      { from: day, to: day },
    )
  })
}

function namesOf(rollups: readonly Rollup[]): string[] {
  return rollups.map(({ name }) => name)
}

/** Nothing else changes, so the events are the effect. A connection that watches none of the menus gets none. */
async function publish(
  { database, wakeRelay }: AppContext,
  asOf: string,
  changed: readonly Rollup[],
): Promise<void> {
  const events = changed.map(({ name, menus }) => ({
    subject: `rollup:${name}`,
    rooms: menus.map((menu) => `menu:${menu}`),
    data: { report: name, asOf },
  }))
  await sql`
    with said as (
      insert into outbox_event (type, subject, rooms, data, actor_name)
      select ${REPORT_REFRESHED.type}, e.subject, e.rooms, e.data, ${NAME}
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as e (subject text, rooms text[], data jsonb)
    )
    insert into report_state (as_of) values (${asOf})
    on conflict (only_row) do update set as_of = greatest(report_state.as_of, excluded.as_of)`.execute(
    database.kysely,
  )
  if (events.length > 0) wakeRelay()
}

/** A book that is older than its rollups is filled by a job, once. */
async function fillOldBook(context: AppContext): Promise<void> {
  const { rows } = await sql<{ waits: boolean }>`
    select ${IS_FILLING} and not exists (select 1 from job j
        where j.type = ${BACKFILL_JOB} and j.state in ('queued', 'running')) as waits`.execute(
    context.database.kysely,
  )
  if (rows[0]?.waits !== true) return
  const actor = systemActor(NAME)
  await runCommand(context, { actor, audit: { action: 'report.backfill' } }, (tx) =>
    startJob(tx, {
      type: BACKFILL_JOB,
      menu: null,
      params: {},
      targetIds: [],
      singletonKey: 'all',
      settles: true,
    }),
  )
}
