/**
 * Baseline of a payment: the transaction alone, which writes as many rows as the product's but
 * checks nothing. They are written to tables like the product's that nobody reads.
 */
import type pg from 'pg'
import type { BareDatabase } from '../book.ts'
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { openBare } from './bare-database.ts'
import { serveBench } from './child.ts'

export interface BarePayments {
  perSecond: number
  latencyMs: Spread
}

/** Rows that one payment writes besides its own, its order and its instalment. */
export interface RowsOfPayment {
  /** Steps of the order's status. */
  steps: number
  ledger: number
  events: number
  log: number
}

const COPIED = [
  'order_status_log',
  'repay_record',
  'ledger_entry',
  'outbox_event',
  'operate_log',
  'inbound_event',
]

let pool: pg.Pool | null = null
let last = 0

serveBench({
  async start(bare: BareDatabase) {
    pool = await openBare(bare)
    for (const table of COPIED)
      await pool.query(
        `create table if not exists bare_of_${table} (like ${table} including all excluding constraints)`,
      )
  },
  run,
})

async function run({
  orderIds,
  callers,
  ms,
  rows,
}: {
  orderIds: string[]
  callers: number
  ms: number
  rows: RowsOfPayment
}): Promise<BarePayments> {
  const latencies: number[] = []
  const begin = sharedNow()
  async function caller(): Promise<void> {
    while (sharedNow() - begin < ms) {
      last += 1
      const from = sharedNow()
      await pay(pool as pg.Pool, orderIds[last % orderIds.length] as string, `B${last}`, rows)
      latencies.push(sharedNow() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return {
    perSecond: latencies.length / ((sharedNow() - begin) / 1_000),
    latencyMs: spreadOf(latencies),
  }
}

async function pay(
  from: pg.Pool,
  orderId: string,
  recordId: string,
  rows: RowsOfPayment,
): Promise<void> {
  const client = await from.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into bare_of_inbound_event (source, event_id, request_hash, result)
        values ('bench', $1, '\\x00', 'null')`,
      [recordId],
    )
    const { rows: orders } = await client.query<{ customer_id: string; version: number }>(
      `update loan_order
        set outstanding = outstanding - 100, version = version + 1, updated_at = clock_timestamp()
        where id = $1 returning customer_id, version`,
      [orderId],
    )
    const { customer_id: customerId, version } = orders[0] as {
      customer_id: string
      version: number
    }
    const { rows: plans } = await client.query<{ id: string }>(
      `update repay_plan
        set paid_amount = paid_amount + 100, outstanding = outstanding - 100,
        open_principal = open_principal - 100, version = version + 1, updated_at = clock_timestamp()
        where id = (select p.id from repay_plan p where p.order_id = $1 and p.open_principal > 100
        order by p.serial_no limit 1) returning id`,
      [orderId],
    )
    const planId = plans[0]?.id ?? null
    await client.query(
      `insert into bare_of_repay_record (id, order_id, told_order_id, plan_id, customer_id, repayment_type,
        amount, utr, channel, pay_state, source, paid_at, operator_name, vendor_code, vendor_order_no)
        values ($1, $2, $2, $3, $4, 'partial', 100, $1, 2, 'success', 'callback', clock_timestamp(), 'bench',
        'bench', $1)`,
      [recordId, orderId, planId, customerId],
    )
    await client.query(
      `insert into bare_of_order_status_log (order_id, from_status, to_status, cause, by_name)
        select $1, 30, 43, 'bench', 'bench' from generate_series(1, $2::int)`,
      [orderId, rows.steps],
    )
    await client.query(
      `insert into bare_of_ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, ref_id,
        biz_date) select $1, $2, $3, 'bench', n % 2 * 100, (1 - n % 2) * 100, 'payment', $1, current_date
        from generate_series(1, $4::int) n`,
      [recordId, orderId, planId, rows.ledger],
    )
    await client.query(
      `insert into bare_of_outbox_event (type, subject, rooms, data, entity_version)
        select 'repayment.changed', $1, $2, $3, $4 from generate_series(1, $5::int)`,
      [
        `order:${orderId}`,
        [`order:${orderId}`],
        JSON.stringify({ orderId, recordId, amount: 100, payState: 'success' }),
        version,
        rows.events,
      ],
    )
    await client.query(
      `insert into bare_of_operate_log (user_name, action, target_kind, target_id, after, result)
        select 'bench', 'payment', 'record', $1, $2, 'ok' from generate_series(1, $3::int)`,
      [recordId, JSON.stringify({ orderId, amount: 100 }), rows.log],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
