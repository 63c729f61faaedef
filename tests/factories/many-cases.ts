/**
 * A large pool: cases of customers created for it, written by a few statements. Their orders have
 * neither plans nor a timeline, so tests that need those cannot use it; their day counts as opened.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

/** Rows per statement: PGlite answers nobody else while it runs. */
const CHUNK = 10_000

export interface ManyCases {
  count: number
  /** Each stage has the same share of the cases; default M1 only. */
  stageIds?: readonly string[]
  /** Prefix of the ids: two pools in one database need different ones. */
  prefix?: string
}

/** Needs an order to copy product, app and channel from. */
export async function makeManyCases(
  { database }: { database: Database },
  { count, stageIds = ['M1'], prefix = 'X' }: ManyCases,
): Promise<void> {
  const db = database.kysely
  await sql`
    insert into day_opening (day, finished_at)
      values ((clock_timestamp() at time zone 'Asia/Kolkata')::date, clock_timestamp())
      on conflict (day) do nothing`.execute(db)
  for (let from = 0; from < count; from += CHUNK) {
    const numbers = sql`
      generate_series(${from}::int, ${Math.min(count, from + CHUNK) - 1}::int) n cross
        join (select o.product_id, o.app_id, o.channel_id, o.product_snapshot from loan_order o
        order by o.created_at limit 1) p`
    const taken = sql`clock_timestamp() - interval '45 days'`
    // Between 1,000 and 10,000 rupees in paise, scattered.
    const amount = sql`100000 + (n::bigint * 7919 % 900000)`
    await sql`
      insert into customer (id, name, phone_enc, phone_h, phone_last4, channel_id, app_id, registered_at)
      select ${prefix} || 'C' || n, 'Customer ' || n, '\\x00', sha256((${prefix} || n)::bytea),
        lpad((n % 10000)::text, 4, '0'), p.channel_id, p.app_id, ${taken} from ${numbers}`.execute(
      db,
    )
    await sql`
      insert into loan_order (id, customer_id, product_id, app_id, channel_id, amount, arrival_amount,
        service_charge, interest, contract_amount, tenure_days, term, status, outstanding, created_at,
        disbursed_at, due_at, overdue_days, product_snapshot)
      select ${prefix} || 'L' || n, ${prefix} || 'C' || n, p.product_id, p.app_id, p.channel_id, 1000000,
        1000000, 0, 0, 1000000, 30, 1, 50, ${amount}, ${taken}, ${taken}, current_date - 15, 15,
        p.product_snapshot from ${numbers}`.execute(db)
    await sql`
      with made as (
        insert into collection_case (id, order_id, customer_id, stage_id, overdue_days, amount_due,
          outstanding)
        select ${prefix} || 'A' || lpad(n::text, 7, '0'), ${prefix} || 'L' || n, ${prefix} || 'C' || n,
          (${[...stageIds]}::text[])[1 + n % ${stageIds.length}::int], 15, ${amount}, ${amount}
          from ${numbers} returning id, stage_id
      )
      insert into case_allocation (case_id, cause, to_stage, by_name)
        select m.id, 'enter', m.stage_id, 'test' from made m`.execute(db)
  }
  await sql`analyze customer, loan_order, collection_case, case_allocation`.execute(db)
}

/** The order from which `makeManyCases` copies its product, in a database without one. */
export async function makeTemplateOrder(database: Database): Promise<void> {
  await sql`
    with made as (
      insert into customer (id, name, phone_enc, phone_h, phone_last4, channel_id, app_id)
        select 'XC', 'Template', '\\x00', '\\x01', '0000', (select c.id from channel c order by c.id
        limit 1), p.app_id from product p order by p.id limit 1 returning id, channel_id, app_id
    )
    insert into loan_order (id, customer_id, product_id, app_id, channel_id, amount, arrival_amount,
      service_charge, interest, contract_amount, tenure_days, term, status, product_snapshot)
    select 'XL', m.id, (select p.id from product p where p.app_id = m.app_id order by p.id
      limit 1), m.app_id, m.channel_id, 1000000, 1000000, 0, 0, 1000000, 30, 1, 70, '{}' from made m`.execute(
    database.kysely,
  )
}
