/**
 * Another time of day for one database: rules use the database's clock, so a test about hours moves
 * that clock. Column defaults keep the real one.
 */
import { sql } from 'kysely'
import type pg from 'pg'
import { istDay } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { makeMonths } from '#gateway/manage/db/months.ts'

export interface TestClock {
  /**
   * Sets the clock to `HH:MM` or `HH:MM:SS` IST of a day (default today). It runs on from there.
   */
  to(clock: string, day?: string): Promise<void>
}

/** Call it before users sign in: their sessions then outlast the changes of the clock. */
export async function testClock(database: Database): Promise<TestClock> {
  await sql`create schema test_clock`.execute(database.kysely)
  await sql`create table test_clock.shift (by interval not null)`.execute(database.kysely)
  await sql`insert into test_clock.shift values ('0')`.execute(database.kysely)
  await sql`
    create function test_clock.clock_timestamp() returns timestamptz language sql volatile as $$
      select pg_catalog.clock_timestamp() + s.by from test_clock.shift s $$`.execute(
    database.kysely,
  )
  // Existing schedules are moved, so that a change of the clock within the day does not make one
  // due, whenever the test runs.
  await sql`update scheduled_task
    set next_run_at = greatest(next_run_at, ${`${istDay(Date.now())}T22:00:00+05:30`}::timestamptz)`.execute(
    database.kysely,
  )
  // A change of the clock signs nobody out.
  await sql`
    update sys_config set value = '100000'
      where code in ('session.idleMinutes', 'session.idleMinutesAdmin', 'session.absoluteHours',
      'session.renewMinutes')`.execute(database.kysely)
  await eachConnection(database.pool, (client) =>
    client.query('set search_path = test_clock, pg_catalog, public'),
  )
  return {
    async to(clock, day = istDay(Date.now())) {
      const target = `${day}T${clock.length === 5 ? `${clock}:00` : clock}+05:30`
      await sql`
        update test_clock.shift set by = ${target}::timestamptz - pg_catalog.clock_timestamp()`.execute(
        database.kysely,
      )
      // a night has passed, or many
      await makeMonths(database)
    },
  }
}

/** All connections the pool will ever have: idle ones are kept, so each is requested once. */
async function eachConnection(
  pool: pg.Pool,
  ask: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) await ask(client)
  for (const client of clients) client.release()
}
