/**
 * kill -9 of the console while its robot calls: the sandbox tells some ends twice and some never, and
 * forgets those it was about to tell. No borrower may be called beyond the limits or the hours, and no
 * end may count twice.
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
import { ConsoleProcesses } from './console-processes.ts'

/** Calls of a day to one borrower; the configuration alone would make four. */
const PER_DAY = 2
const REDIALS = 3
const AT_ONCE = 60
const MOST_STARTS = 400

export interface AiCallKills {
  starts: number
  calls: number
  /** Told twice, or told and asked for. */
  repeated: number
}

/** Needs a book that is embedded: its clock is moved into the hours of contact. */
export async function surviveAiCallKills(
  chaosDatabase: ChaosDatabase,
  { tasks, kills, workMs }: { tasks: number; kills: number; workMs: number },
): Promise<AiCallKills> {
  const processes = new ConsoleProcesses()
  const began = beginningOf('11:00', Date.now(), Date.now())
  try {
    await withDatabase(chaosDatabase, (database) => furnish(database, tasks, istDay(began)))
    writeFileSync(
      join(chaosDatabase.env.DATA_DIR as string, 'demo-clock'),
      `${began - Date.now()}\n`,
    )
    let starts = 0
    for (let left = tasks; left > 0 || starts < kills; starts += 1) {
      if (starts === MOST_STARTS) throw new Error(`${left} tasks are left after ${starts} starts`)
      const running = await processes.start(chaosDatabase.env)
      await new Promise((resume) => setTimeout(resume, workMs))
      await running.kill('SIGKILL')
      await new Promise((resume) => setTimeout(resume, 50))
      left = await withDatabase(chaosDatabase, async (database) => {
        await proveLimits(database, `after kill ${starts + 1}`)
        await tenMinutesPass(database)
        return leftToday(database)
      })
    }
    return await withDatabase(chaosDatabase, async (database) => ({
      starts,
      ...(await proveEnd(database)),
    }))
  } finally {
    await processes.end()
  }
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
    values ('1600110001', 'ai', 'sandbox', ${AT_ONCE}, ${tasks * 5}, 'enabled')`.execute(db)
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
}

/** What the robot waits for comes sooner; nothing else about a call changes. */
async function tenMinutesPass({ kysely: db }: Database): Promise<void> {
  const sooner = (column: string) =>
    sql`${sql.ref(column)} = ${sql.ref(column)} - interval '10 minutes'`
  await sql`update ai_call set ${sooner('ask_at')} where state in ('dialling', 'calling')`.execute(
    db,
  )
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
    select count(*)::int as n from ai_call a where a.state in ('dialling', 'calling')`.execute(db)
  expect(out[0]?.n, `calls at once ${when}`).toBeLessThanOrEqual(AT_ONCE)
  const { rows: twice } = await sql`
    select l.after ->> 'callId' as call from operate_log l where l.action = 'aiCall'
    group by 1 having count(*) > 1`.execute(db)
  expect(twice, `ends that counted twice ${when}`).toEqual([])
}

async function proveEnd({ kysely: db }: Database): Promise<Omit<AiCallKills, 'starts'>> {
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
    group by f.order_id, f.type having count(*) > 1`.execute(db)
  expect(wrong).toEqual([])
  const { rows } = await sql<{ calls: number; repeated: number }>`
    select (select count(*)::int from ai_call a where a.state = 'ended') as calls,
      (select count(*)::int from inbound_event e where e.event_id like 'again-%') as repeated`.execute(
    db,
  )
  return rows[0] as { calls: number; repeated: number }
}
