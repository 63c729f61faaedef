/**
 * kill -9 of consoles while their robot calls: the sandbox tells some ends twice and some never, and
 * forgets those it was about to tell. No borrower may be called beyond the limits or the hours, and no
 * end may count twice. The database itself writes down how tasks and calls went, so that no console is
 * believed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { istDay } from '#shared/kernel/time.ts'
import { beginningOf } from '#gateway/demo-clock.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type ChaosDatabase, INTERNAL_SECRET, withDatabase } from './chaos-database.ts'
import { ConsoleProcesses, type StartedConsole } from './console-processes.ts'
import { freePort } from './stack.ts'

/** Calls of a day to one borrower; the configuration alone would make four. */
const PER_DAY = 2
const REDIALS = 3
/** Calls at once of each of the lines. */
const AT_ONCE = 300
const LINES = 3
const MOST_KILLS = 600
/** A call of the sandbox has ended after this, when nobody was killed. */
const LONGEST_CALL_SECONDS = 20

export interface AiCallKills {
  kills: number
  calls: number
  /** Ends told twice by the sandbox. */
  repeated: number
  /** Ends that nobody told: lost by the sandbox or with its process, and asked for. */
  askedFor: number
}

/** One console of an embedded book, or two of a PostgreSQL, killed in turn. */
export async function surviveAiCallKills(
  chaosDatabase: ChaosDatabase,
  { tasks, kills: fewest, workMs }: { tasks: number; kills: number; workMs: number },
): Promise<AiCallKills> {
  const processes = new ConsoleProcesses()
  const began = beginningOf('11:00', Date.now(), Date.now())
  // the clock of the consoles, which the test does not have in an embedded book
  const shift = began - Date.now()
  try {
    const envs = await prepareClock(chaosDatabase, began)
    await withDatabase(chaosDatabase, (database) => furnish(database, tasks, istDay(began)))
    const cores: StartedConsole[] = []
    for (const env of envs) cores.push(await processes.start(env))
    let kills = 0
    for (let left = tasks; left > 0 || kills < fewest;) {
      if (kills === MOST_KILLS) throw new Error(`${left} tasks are left after ${kills} kills`)
      await new Promise((resume) => setTimeout(resume, workMs))
      const at = kills % envs.length
      await cores[at]?.kill('SIGKILL')
      kills += 1
      await new Promise((resume) => setTimeout(resume, 50))
      left = await withDatabase(chaosDatabase, async (database) => {
        await proveLimits(database, `after kill ${kills}`)
        await tenMinutesPass(database, {
          now: new Date(Date.now() + shift),
          reportSeconds: envs.length === 1 ? 0 : LONGEST_CALL_SECONDS,
        })
        return leftToday(database)
      })
      if (process.env.AI_CALLS_PROGRESS) console.info(`${kills} kills, ${left} tasks are left`)
      if (left > 0 || kills < fewest)
        cores[at] = await processes.start(envs[at] as Record<string, string>)
    }
    await processes.end()
    return await withDatabase(chaosDatabase, async (database) => ({
      kills,
      ...(await proveEnd(database)),
    }))
  } finally {
    await processes.end()
  }
}

/**
 * Moves the clock of the book into the hours of contact: an embedded one has a file for it, on
 * PostgreSQL each new connection finds another `clock_timestamp()` first.
 * @returns the environments of its consoles
 */
async function prepareClock(
  chaosDatabase: ChaosDatabase,
  began: number,
): Promise<Record<string, string>[]> {
  const { env, engine } = chaosDatabase
  const shift = began - Date.now()
  if (engine === 'PGlite') {
    writeFileSync(join(env.DATA_DIR as string, 'demo-clock'), `${shift}\n`)
    return [env]
  }
  await withDatabase(chaosDatabase, async ({ kysely: db }) => {
    await sql`create schema test_clock`.execute(db)
    await sql`
      create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
      ${sql.lit(`select pg_catalog.clock_timestamp() + interval '${shift} milliseconds'`)}`.execute(
      db,
    )
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    const name = sql.id(rows[0]?.name ?? '')
    await sql`alter database ${name} set search_path = test_clock, pg_catalog, public`.execute(db)
  })
  const core = async () => ({
    ...env,
    ROLE: 'manage',
    INTERNAL_SECRET,
    AI_CALL_VENDOR: 'sandbox',
    PORT: String(await freePort()),
    INTERNAL_PORT: String(await freePort()),
  })
  return [await core(), await core()]
}

async function furnish(database: Database, tasks: number, day: string): Promise<void> {
  const { kysely: db } = database
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.alloc(32, 1),
      log: createLogger('error'),
      version: { version: 'test', commit: 'test', build: 'test' },
      internalSecret: INTERNAL_SECRET,
      production: false,
      checkAnswers: true,
    },
    { kind: 'sandbox' },
  )
  await makeOrder(manage, { status: 10 })
  await makeManyCases({ database }, { count: tasks, prefix: 'K' })
  const phones = Array.from({ length: tasks }, (_, n) => ({
    id: `KC${n}`,
    sealed: manage.context.secrets
      .seal('customer.phone_enc', `KC${n}`, String(7_000_000_000 + n))
      .toString('hex'),
  }))
  await manage.close()
  await sql`
    update customer c set phone_enc = decode(p.sealed, 'hex')
    from jsonb_to_recordset(${JSON.stringify(phones)}::jsonb) as p (id text, sealed text)
    where c.id = p.id`.execute(db)
  await sql`
    insert into day_opening (day, finished_at) values (${day}::date, clock_timestamp())
    on conflict (day) do nothing`.execute(db)
  await sql`
    update sys_config set value = case code when 'collection.contactGapMinutes' then '0'
      else ${String(PER_DAY)} end
    where code in ('collection.contactGapMinutes', 'collection.maxContactsPerDay')`.execute(db)
  await sql`
    insert into phone_line (number, kind, vendor_code, concurrency, daily_cap, status)
    select '160011000' || n, 'ai', 'sandbox', ${AT_ONCE}, ${tasks * 5}, 'enabled'
    from generate_series(1, ${LINES}::int) n`.execute(db)
  await sql`
    insert into ai_call_config (product_id, min_days, max_days, start_time, end_time, robot_id,
      robot_name, repeat_interval_min, repeat_frequency, redial_interval_min, redial_max, status,
      updated_by_name)
    select o.product_id, 1, 60, '08:00', '19:00', 'R1', 'Robot', 30, 1, 5, ${REDIALS}, 'enabled', 'test'
    from loan_order o where o.id = 'KL0'`.execute(db)
  await sql`
    insert into ai_call_task (config_id, order_id, case_id, customer_id, overdue_days, state, due_at,
      created_on, created_at, created_by_name)
    select k.id, c.order_id, c.id, c.customer_id, 15, 'pending', clock_timestamp(), ${day}::date,
      clock_timestamp(), 'test'
    from collection_case c cross join ai_call_config k`.execute(db)
  await watchStates(db)
  // classes with a period begin at once, as they do by the real clock
  await sql`
    update scheduled_task set next_run_at = clock_timestamp() where cycle like 'every:%'`.execute(
    db,
  )
}

async function watchStates(db: Database['kysely']): Promise<void> {
  await sql`
    create table state_seen (id bigint generated always as identity, subject text not null,
      from_state text not null, to_state text not null)`.execute(db)
  await sql`
    create function see_state() returns trigger language plpgsql as $$
    begin
      insert into state_seen (subject, from_state, to_state)
      values (tg_table_name || ' ' || new.id, old.state, new.state);
      return new;
    end $$`.execute(db)
  for (const table of ['ai_call', 'ai_call_task'])
    await sql`
      create trigger see_state after update on ${sql.table(table)} for each row
      when (old.state is distinct from new.state) execute function see_state()`.execute(db)
}

/**
 * What the robot waits for comes sooner; nothing else about a call changes.
 * @param reportSeconds seconds within which a console that was not killed tells the end of a call
 */
async function tenMinutesPass(
  { kysely: db }: Database,
  { now, reportSeconds }: { now: Date; reportSeconds: number },
): Promise<void> {
  const sooner = (column: string) =>
    sql`${sql.ref(column)} = ${sql.ref(column)} - interval '10 minutes'`
  await sql`
    update ai_call set ${sooner('ask_at')} where state in ('dialling', 'calling') and started_at
      < ${now.toISOString()}::timestamptz - make_interval(secs => ${reportSeconds})`.execute(db)
  await sql`
    update ai_call_task set ${sooner('due_at')} where state in ('pending', 'calling')
      and due_at < created_on + time '13:30'`.execute(db)
  await sql`
    update scheduled_task set held_until = null, held_by = null, cycle = 'every:2',
      ${sooner('next_run_at')}
    where class = 'aiCallPlan'`.execute(db)
}

/** Tasks that may still call today: one put off by the limit of the day waits for the next. */
async function leftToday({ kysely: db }: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ai_call_task t where t.state in ('created', 'pending', 'calling')
      and (t.due_at is null or t.due_at < t.created_on + time '13:30')`.execute(db)
  return rows[0]?.n ?? 0
}

async function proveLimits({ kysely: db }: Database, when: string): Promise<void> {
  const { rows: beyond } = await sql`
    select l.customer_id, count(*)::int as calls from call_log l
    group by l.customer_id, ist_day(l.started_at) having count(*) > ${PER_DAY}
    union all
    select l.customer_id, -1 from call_log l
    where (l.started_at at time zone 'Asia/Kolkata')::time not between '08:00' and '18:59:59.999'`.execute(
    db,
  )
  expect(beyond, `borrowers called too often or outside the hours ${when}`).toEqual([])
  const { rows: out } = await sql<{ n: number }>`
    select count(*)::int as n from ai_call a where a.state in ('dialling', 'calling')
    group by a.line_id having count(*) > ${AT_ONCE}`.execute(db)
  expect(out, `calls at once of a line ${when}`).toEqual([])
  const { rows: twice } = await sql`
    select l.after ->> 'callId' as call from operate_log l where l.action = 'aiCall'
      and l.after ->> 'callId' is not null
    group by 1 having count(*) > 1`.execute(db)
  expect(twice, `ends that counted twice ${when}`).toEqual([])
}

async function proveEnd({ kysely: db }: Database): Promise<Omit<AiCallKills, 'kills'>> {
  // each end is in the log once, each call in the contacts of its borrower, and a task is what it says
  const { rows: wrong } = await sql`
    select a.id, 'ended, not logged' as why from ai_call a where a.state = 'ended' and not exists (
      select from operate_log l where l.action = 'aiCall' and l.after ->> 'callId' = a.id)
    union all
    select a.id, 'no contact' from ai_call a where a.state in ('ended', 'calling') and not exists (
      select from call_log l where l.id = a.contact_call_id)
    union all
    select a.id, 'still out' from ai_call a where a.state in ('dialling', 'calling')
    union all
    select t.id, 'two tasks' from ai_call_task t join ai_call_task u on u.order_id = t.order_id
      and u.id > t.id
    union all
    select t.id, 'called after an answer' from ai_call_task t join ai_call a on a.task_id = t.id
      and a.state = 'ended' and a.result not in ('f', 'g')
      join ai_call b on b.task_id = t.id and b.no > a.no and b.state <> 'refused'
    union all
    select t.id, 'finished without a result' from ai_call_task t
    where t.state = 'finished' and t.result is null
    union all
    select f.order_id, 'two tickets of a call' from feedback f where f.order_id like 'KL%'
    group by f.order_id, f.type having count(*) > 1
    union all
    select s.subject, 'went from ' || s.from_state || ' to ' || s.to_state from state_seen s
    where s.from_state in ('ended', 'refused', 'finished', 'cancelled')
      or (s.from_state, s.to_state) in (('calling', 'dialling'), ('pending', 'finished'))
    union all
    select s.subject, 'ended twice' from state_seen s where s.to_state in ('ended', 'finished')
    group by s.subject having count(*) > 1`.execute(db)
  expect(wrong).toEqual([])
  const { rows } = await sql<Omit<AiCallKills, 'kills'>>`
    select count(*)::int as calls,
      (select count(*)::int from inbound_event e where e.event_id like 'again-%') as repeated,
      count(*) filter (where not exists (select from inbound_event e
        where e.event_id = 'end-' || a.id))::int as "askedFor"
    from ai_call a where a.state = 'ended'`.execute(db)
  return rows[0] as Omit<AiCallKills, 'kills'>
}
