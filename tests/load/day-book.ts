/**
 * A book whose next day is opened: loans with one instalment each, of which a tenth is in arrears
 * and a hundredth becomes overdue on that day.
 */
import { sql } from 'kysely'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { type DayOpened, openDays } from '#gateway/manage/features/repayments/open-day.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'
import { untilFollowedUp } from './marks.ts'

/** Rows of one statement. */
const CHUNK = 50_000
const OVERDUE = 'DO'
const RUNNING = 'DR'
const TENURE = 30
const TODAY = sql`(clock_timestamp() at time zone 'Asia/Kolkata')::date`
/** Of the loan with the number n: every hundredth on the day before the one that is opened. */
const DUE_ON = sql`${TODAY} + case when n % 100 = 0 then 0 else 1 + n % ${TENURE}::int end`
const TAKEN_AT = sql`clock_timestamp() - (${TODAY} + ${TENURE}::int - (${DUE_ON})) * interval '1 day'`

export async function makeDayBook(database: Database, plans: number): Promise<null> {
  const db = database.kysely
  const overdue = plans / 10
  await makeManyCases(
    { database },
    { count: overdue, stageIds: ['T1', 'S1', 'M1', 'M3'], prefix: OVERDUE },
  )
  await addPlans(db, `${OVERDUE}L%`, sql`${TODAY} - 15`)
  for (let from = 0; from < plans - overdue; from += CHUNK) {
    const numbers = sql`generate_series(${from}::int, ${Math.min(plans - overdue, from + CHUNK) - 1}::int) n
      cross join (select o.product_id, o.app_id, o.channel_id, o.product_snapshot from loan_order o
      where o.id = ${`${OVERDUE}L0`}) p`
    await sql`
      insert into customer (id, name, phone_enc, phone_h, phone_last4, channel_id, app_id, registered_at)
      select ${RUNNING} || 'C' || n, 'Customer ' || n, '\\x00', sha256((${RUNNING} || n)::bytea),
        lpad((n % 10000)::text, 4, '0'), p.channel_id, p.app_id, ${TAKEN_AT} from ${numbers}`.execute(
      db,
    )
    await sql`
      insert into loan_order (id, customer_id, product_id, app_id, channel_id, amount, arrival_amount,
        service_charge, interest, contract_amount, tenure_days, term, status, outstanding, created_at,
        disbursed_at, due_at, product_snapshot)
      select ${RUNNING} || 'L' || n, ${RUNNING} || 'C' || n, p.product_id, p.app_id, p.channel_id, 1000000,
        1000000, 0, 0, 1000000, ${TENURE}, 1, 30, 1000000, ${TAKEN_AT}, ${TAKEN_AT}, ${DUE_ON},
        p.product_snapshot from ${numbers}`.execute(db)
  }
  await addPlans(db, `${RUNNING}L%`, sql`o.due_at`)
  await sql`vacuum analyze customer, loan_order, repay_plan, collection_case`.execute(db)
  // figures of the days on which the book was written, which an opening does not wait for
  await untilFollowedUp(database, 'report_mark')
  return null
}

async function addPlans(
  db: Database['kysely'],
  ids: string,
  dueAt: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    insert into repay_plan (id, order_id, serial_no, due_at, principal, interest, outstanding,
      payment_status, overdue_days, open_principal, open_interest, open_service, open_fine, fine_to)
    select 'P' || o.id, o.id, 1, ${dueAt}, o.outstanding, 0, o.outstanding, case
      when o.status = 50 then 'overdue' else 'unpaid' end, o.overdue_days, o.outstanding, 0, 0, 0, case
      when o.status = 50 then ${TODAY} - 1 end
    from loan_order o where o.id like ${ids}`.execute(db)
}

/** Opens the day after the database's own. */
export async function openNextDay(context: AppContext): Promise<DayOpened & { seconds: number }> {
  const { rows } = await sql<{ day: string }>`select (${TODAY} + 1)::text as day`.execute(
    context.database.kysely,
  )
  const began = performance.now()
  const opened = await openDays(context, rows[0]?.day ?? '', [openDayCases])
  return { ...(opened.at(-1) as DayOpened), seconds: (performance.now() - began) / 1_000 }
}
