/**
 * Payment proofs of the demo: some wait and hold their case, one of them for a transfer that is
 * booked already; some became a payment of the book, some were rejected. Receipts are drawn.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { HOUR, MINUTE } from './life.ts'
import { CUSTOMER_APP } from './doers.ts'
import { drawReceipt } from './papers.ts'
import { rngOf } from './random.ts'

interface Paper {
  order_id: string
  customer_id: string
  amount: number
  utr: string
  paid_at: number
  channel: number
  /** Null = the customer sent it. */
  by: { id: string; name: string } | null
  created_at: number
  state: 'pending' | 'accepted' | 'rejected'
  decided_at: number | null
  reason: string | null
  record_id: string | null
}

interface Open {
  case_id: string
  order_id: string
  customer_id: string
  outstanding: number
  collector_id: string
  collector_name: string
  /** A transfer of the order that is in the books. */
  used: string | null
}

const WAITING = 10
const REASONS = [
  'The UTR is not on the bank statement',
  'Paid to another account',
  'The picture cannot be read',
  'The receipt is of another loan',
]

/** @param asOf instant the book is of, milliseconds */
export async function seedProofs(
  trx: Trx,
  { asOf, seed }: { asOf: number; seed: number },
): Promise<void> {
  const rng = rngOf(seed, 'proofs')
  const utr = () => `${rng.int(500_000, 599_999)}${rng.int(100_000, 999_999)}`
  const { rows: open } = await sql<Open>`
    select c.id as case_id, c.order_id, c.customer_id, c.outstanding, c.collector_id,
      u.user_name as collector_name,
      (select min(r.utr) from repay_record r where r.order_id = c.order_id
        and r.pay_state = 'success') as used
    from collection_case c join sys_user u on u.id = c.collector_id join loan_order o on o.id = c.order_id
      and o.status in (50, 90)
    where c.state = 'allocated' and c.ptp_state is null and c.outstanding > 50000
      and c.allocated_at < ${at(asOf - 6 * HOUR)}
      and not exists (select 1 from stop_collection s where s.customer_id = c.customer_id
        and s.state = 'active')
      and not exists (select 1 from collection_case y where y.customer_id = c.customer_id and y.id <> c.id
        and y.state <> 'closed')
    order by md5(c.id)`.execute(trx)
  const used = open.find((one) => one.used !== null)
  const chosen = [
    ...(used ? [used] : []),
    ...open.filter((one) => one !== used).slice(0, WAITING - 1),
  ]
  const rejected = open.filter((one) => !chosen.includes(one)).slice(0, 8)
  const { rows: paid } = await sql<
    Paper & { confirmed_at: string; paid: string; collector_id: string; collector_name: string }
  >`
    select r.id as record_id, r.order_id, r.customer_id, r.amount, r.utr, r.channel, r.paid_at as paid,
      r.confirmed_at, b.collector_id, u.user_name as collector_name
    from repay_record r join recovery_bill b on b.record_id = r.id and b.collector_id is not null
      join sys_user u on u.id = b.collector_id
    where r.pay_state = 'success' and r.repayment_type in ('full', 'partial') and r.surplus = 0
      and r.utr is not null order by r.paid_at desc, r.id limit 14`.execute(trx)
  const papers: Paper[] = [
    ...paid.toReversed().map((row, i): Paper => {
      const [from, to] = [Date.parse(row.paid), Date.parse(row.confirmed_at)]
      return {
        ...row,
        paid_at: from,
        by: i % 3 === 0 ? null : { id: row.collector_id, name: row.collector_name },
        created_at: from + Math.round((to - from) / 3),
        state: 'accepted',
        decided_at: to,
        reason: null,
      }
    }),
    ...rejected.map((row, i): Paper => {
      const sent = asOf - (20 - i) * 3 * HOUR - rng.int(5, 50) * MINUTE
      return {
        ...reportedPayment(row, i),
        utr: utr(),
        paid_at: sent - rng.int(20, 300) * MINUTE,
        created_at: sent,
        state: 'rejected',
        decided_at: sent + rng.int(15, 120) * MINUTE,
        reason: REASONS[i % REASONS.length] ?? null,
        record_id: null,
      }
    }),
    ...chosen.map((row, i): Paper => {
      const sent = asOf - (chosen.length - i) * 24 * MINUTE - rng.int(1, 20) * MINUTE
      return {
        ...reportedPayment(row, i),
        utr: row.used ?? utr(),
        paid_at: sent - rng.int(10, 200) * MINUTE,
        created_at: sent,
        state: 'pending',
        decided_at: null,
        reason: null,
        record_id: null,
      }
    }),
  ].toSorted((a, b) => a.created_at - b.created_at || (a.order_id < b.order_id ? -1 : 1))
  for (const paper of papers) await write(trx, paper)
}

/** Every third proof comes from the customer; every second covers all that is owed. */
function reportedPayment(
  row: Open,
  i: number,
): Pick<Paper, 'order_id' | 'customer_id' | 'amount' | 'channel' | 'by'> {
  const { order_id, customer_id, outstanding } = row
  return {
    order_id,
    customer_id,
    amount: i % 2 === 0 ? outstanding : Math.floor(outstanding / 200_00) * 100_00 || outstanding,
    channel: (i % 2) + 1,
    by: i % 3 === 0 ? null : { id: row.collector_id, name: row.collector_name },
  }
}

async function write(trx: Trx, paper: Paper): Promise<void> {
  const { by, state } = paper
  const checker = sql`
    (select u.id, u.user_name from sys_user u join sys_role g on g.id = u.role_id
      where g.unique_mark = 'customer_service' order by u.id limit 1)`
  const name = by?.name ?? CUSTOMER_APP.name
  const { rows } = await sql<{ id: string }>`
    insert into repay_proof (order_id, customer_id, amount, utr, paid_at, channel, submitter, submitted_by,
      submitted_by_name, state, decided_by, decided_by_name, decided_at, reason, record_id, created_at,
      version)
    select ${paper.order_id}, ${paper.customer_id}, ${paper.amount}, ${paper.utr}, ${at(paper.paid_at)},
      ${paper.channel}, ${by === null ? 'customer' : 'staff'}, ${by?.id ?? null}, ${name}, ${state}, d.id,
      d.user_name, ${paper.decided_at === null ? null : at(paper.decided_at)}, ${paper.reason},
      ${paper.record_id}, ${at(paper.created_at)}, ${state === 'pending' ? 1 : 2}
    from (select 1) one left join ${checker} d on ${state !== 'pending'} returning id`.execute(trx)
  const proofId = rows[0]?.id ?? ''
  const content = Buffer.from(drawReceipt(paper))
  const fileId = `F${proofId}-1`
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id, created_at)
    values (${fileId}, 'synthetic', ${`${proofId}-1.svg`}, 'image/svg+xml', ${content.length},
      ${createHash('sha256').update(content).digest()}, ${content}, ${paper.customer_id},
      ${at(paper.created_at)})`.execute(trx)
  await sql`insert into repay_proof_file (proof_id, n, file_id) values (${proofId}, 1, ${fileId})`.execute(
    trx,
  )
  if (state === 'accepted') {
    // the payment came by this paper, not by its channel
    await sql`
      update repay_record r set source = 'proof', operator_id = ${by?.id ?? null}, operator_name = ${name},
        confirmer_id = d.id, confirmer_name = d.user_name, vendor_code = null, vendor_order_no = null
      from ${checker} d where r.id = ${paper.record_id}`.execute(trx)
  }
  if (state !== 'pending') return
  await sql`
    insert into stop_collection (customer_id, reason, state, proof_id, applied_by, applied_by_name,
      applied_at, start_at, remark)
    values (${paper.customer_id}, 'proofCheck', 'active', ${proofId}, ${by?.id ?? null}, ${name},
      ${at(paper.created_at)}, ${at(paper.created_at)}, ${proofId})`.execute(trx)
  await sql`
    with held as (
      update collection_case c set state = 'held', hold_reason = 'proofCheck', hold_until = null,
        version = c.version + 1 where c.order_id = ${paper.order_id} and c.state = 'allocated'
        returning c.collector_id
    )
    update collector k set open_cases = greatest(0, k.open_cases - 1) from held h
      where k.user_id = h.collector_id`.execute(trx)
}

function at(ms: number) {
  return sql`${new Date(ms).toISOString()}::timestamptz`
}
