/**
 * Baseline of the order list, as a first implementation: raw node:http and pg, rows parsed to
 * objects, a count, JSON.stringify; no session, no scope, no checks.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import type { BareDatabase } from '../book.ts'
import { openBare } from './bare-database.ts'
import { serveBench } from './child.ts'

const ROWS = `
  select o.id as "orderId", o.customer_id as "userId", c.name as "userName",
    'XXXXXX' || c.phone_last4 as phone, o.app_id as "appId", a.name as "appName",
    o.product_id as "productId", p.name as "productName",
    o.channel_id as "channelId", h.name as "channelName", o.amount, o.arrival_amount as "arrivalAmount",
      o.service_charge as "serviceCharge", o.interest, o.contract_amount as "contractAmount",
    o.tenure_days as "tenureDays", o.term, o.due_at::text as "dueTime", o.closed_at as "closeTime",
      o.close_type as "closeType", o.status, o.tags, o.fail_reason as "failReason",
      o.overdue_days as "overdueDays",
    (select r.id from review r where r.order_id = o.id order by r.created_at desc
      limit 1) as "reviewId", o.outstanding, o.rbi_class as "rbiClass", o.kfs_version as "kfsVersion",
    o.kfs_accepted_at as "kfsAcceptTime", o.cooling_off_until as "coolingOffUntil",
      o.created_at as "createTime", o.disbursed_at as "disburseTime", o.version
  from loan_order o join customer c on c.id = o.customer_id join product p on p.id = o.product_id
    join app a on a.id = o.app_id join channel h on h.id = o.channel_id
  order by o.created_at desc, o.id desc limit $1 offset $2`
// Capped like the product's count, for the same meaning.
const TOTAL = 'select count(*)::int as n from (select 1 from loan_order o limit 10001) counted'

let url = ''

serveBench({
  async start(bare: BareDatabase) {
    const pool = await openBare(bare)
    const server = createServer((request, reply) => {
      const query = new URL(request.url ?? '/', 'http://plain').searchParams
      answer(pool, Number(query.get('pageNum') ?? 1), Number(query.get('pageSize') ?? 20)).then(
        (text) =>
          reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(text),
        (error: unknown) => reply.writeHead(500).end(String(error)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  url: () => url,
})

async function answer(pool: pg.Pool, page: number, size: number): Promise<string> {
  const [rows, total] = await Promise.all([
    pool.query(ROWS, [size, (page - 1) * size]),
    pool.query<{ n: number }>(TOTAL),
  ])
  return JSON.stringify({
    code: 200,
    msg: 'Operation successful',
    data: { rows: rows.rows, total: Math.min(total.rows[0]?.n ?? 0, 10_000), asOf: new Date() },
  })
}
