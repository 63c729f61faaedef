/**
 * kill -9 of the console while it opens missed days, and a check that every loan was fined exactly
 * once for each of them.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { ConsoleProcesses } from './console-processes.ts'
import { type ChaosDatabase, withDatabase, INTERNAL_SECRET } from './chaos-database.ts'

/** 10,000.00 over three instalments of 30 days: 10 bp of 3,333.33 or 3,333.34 a day. */
const AMOUNT = 1_000_000
const FINE = 333
const PERIOD = 30
const PATIENCE_MS = 240_000

export interface DayKills {
  /** Kills that left days to open. */
  inTheMiddle: number
  seconds: number
}

/** @param days missed since the loans' first due day; at most 60 */
export async function surviveDayKills(
  chaosDatabase: ChaosDatabase,
  { loans, days, kills }: { loans: number; days: number; kills: number },
): Promise<DayKills> {
  const processes = new ConsoleProcesses()
  const result: DayKills = { inTheMiddle: 0, seconds: 0 }
  const began = performance.now()
  try {
    await withDatabase(chaosDatabase, (database) => furnish(database, { loans, days }))
    for (let n = 0; n < kills; n += 1) {
      const running = await processes.start(chaosDatabase.env)
      await new Promise((resume) => setTimeout(resume, 300 * (n + 1)))
      await running.kill('SIGKILL')
      await new Promise((resume) => setTimeout(resume, 50))
      await withDatabase(chaosDatabase, async (database) => {
        const missing = await missingDays(database)
        if (missing > 0) result.inTheMiddle += 1
        expect(await finesThatAreNotOnce(database), `after kill ${n + 1}`).toEqual([])
        expect(await brokenInvariants(database), `after kill ${n + 1}`).toEqual([])
        await sql`update scheduled_task set next_run_at = clock_timestamp() where class = 'openDay'`.execute(
          database.kysely,
        )
      })
    }
    const last = await processes.start(chaosDatabase.env)
    await untilOpened(chaosDatabase, last.url)
    await last.kill('SIGTERM')
    await withDatabase(chaosDatabase, (database) => proveEnd(database, { loans, days }))
    result.seconds = Math.round((performance.now() - began) / 1_000)
    return result
  } finally {
    await processes.end()
  }
}

/** Loans whose first instalment was due `days` ago, in a book whose last opened day is that day. */
async function furnish(
  database: Database,
  { loans, days }: { loans: number; days: number },
): Promise<void> {
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
  for (let n = 0; n < loans; n += 1) await makeOrder(manage, { status: 30, amount: AMOUNT })
  await manage.close()
  const db = database.kysely
  await sql`
    update repay_plan p set due_at = p.due_at - ${PERIOD + days}::int
      where p.order_id in (select o.id from loan_order o where o.status = 30)`.execute(db)
  await sql`
    update loan_order o set disbursed_at = o.disbursed_at - make_interval(days => ${PERIOD + days}),
      due_at = o.due_at - ${PERIOD + days}::int where o.status = 30`.execute(db)
  await sql`
    insert into day_opening (day, finished_at)
      values ((clock_timestamp() at time zone 'Asia/Kolkata')::date - ${days}::int, clock_timestamp())`.execute(
    db,
  )
  // A test that runs in the first minutes of a day opens the same days.
  await sql`update sys_config set value = '00:00' where code = 'collection.stageRunTime'`.execute(
    db,
  )
}

async function missingDays(database: Database): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select (clock_timestamp() at time zone 'Asia/Kolkata')::date - max(d.day) filter (where d.finished_at is
      not null) as missing from day_opening d`.execute(database.kysely)
  return (rows[0] as { missing: number }).missing
}

async function untilOpened(chaosDatabase: ChaosDatabase, url: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  // A copy made during a checkpoint may not open, so the final check uses the stopped database.
  while ((await chaosDatabase.look(missingDays).catch(() => 1)) > 0) {
    if (Date.now() > end) throw new Error(`${url} has not opened the missed days`)
    await new Promise((resume) => setTimeout(resume, 1_500))
  }
}

/** Instalments with more than one fine on a day, or a fine on a day that is not open. */
async function finesThatAreNotOnce(database: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select e.plan_id, e.biz_date, count(*)::int as n from ledger_entry e where e.kind = 'overdueFine'
      and e.account = 'fineReceivable'
    group by e.plan_id, e.biz_date having count(*) > 1
      or not exists (select 1 from day_opening d where d.day = e.biz_date)`.execute(database.kysely)
  return rows
}

async function proveEnd(
  database: Database,
  { loans, days }: { loans: number; days: number },
): Promise<void> {
  const db = database.kysely
  const { rows: opened } = await sql`
    select count(*)::int as days, count(*) filter (where d.finished_at is null)::int as open,
      sum(d.orders)::int as orders, sum(d.overdue)::int as overdue, sum(d.fines)::bigint as fines
      from day_opening d`.execute(db)
  const finedDays = days + Math.max(0, days - PERIOD)
  expect(opened[0]).toEqual({
    days: days + 1,
    open: 0,
    orders: loans * days,
    overdue: loans,
    fines: loans * finedDays * FINE,
  })
  expect(await finesThatAreNotOnce(database)).toEqual([])
  const { rows: wrong } = await sql`
    select o.id, o.status, o.overdue_days, (select sum(p.overdue_fine)::bigint from repay_plan p
      where p.order_id = o.id) as fine, (select count(*)::int from collection_case c where c.order_id = o.id
      and c.ended_at is null) as cases
    from loan_order o where o.disbursed_at is not null and (o.status <> 50 or o.overdue_days <> ${days}
      or (select sum(p.overdue_fine) from repay_plan p where p.order_id = o.id) <> ${finedDays * FINE}::bigint
      or (select count(*) from collection_case c where c.order_id = o.id and c.ended_at is null
        and c.overdue_days = ${days}) <> 1)`.execute(db)
  expect(wrong).toEqual([])
  expect(await brokenInvariants(database)).toEqual([])
}
