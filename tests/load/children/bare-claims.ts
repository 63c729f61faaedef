/**
 * Baseline of the claim: the transaction alone, over a pool as large as the product's. The event is
 * written to a table like the product's that nobody reads.
 */
import type pg from 'pg'
import type { BareDatabase } from '../book.ts'
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { openBare } from './bare-database.ts'
import { serveBench } from './child.ts'

export interface BareClaims {
  perSecond: number
  latencyMs: Spread
}

const CLAIM = `
  update review set state = 'toAudit', version = version + 1, reviewer_id = $1, reviewer_name = $2,
    token = token + 1, claimed_at = clock_timestamp(), idle_until = clock_timestamp() + interval '60 days',
    live_until = clock_timestamp() + interval '60 days', updated_at = clock_timestamp()
  where id = (select r.id from review r where r.state = 'unclaimed'
    order by r.priority desc, r.queued_at, r.id for update skip locked limit 1)
  returning *`

let pool: pg.Pool | null = null
let users: { id: string; user_name: string }[] = []

serveBench({
  async start(bare: BareDatabase) {
    pool = await openBare(bare)
    await pool.query('create table if not exists bare_event (like outbox_event including all)')
    users = (
      await pool.query<{ id: string; user_name: string }>(
        "select id, user_name from sys_user where account like 'bench_reviewer%'",
      )
    ).rows
  },
  run,
})

async function run({ callers, ms }: { callers: number; ms: number }): Promise<BareClaims> {
  const latencies: number[] = []
  const begin = sharedNow()
  async function caller(n: number): Promise<void> {
    const user = users[n % users.length] as { id: string; user_name: string }
    while (sharedNow() - begin < ms) {
      const from = sharedNow()
      await claim(pool as pg.Pool, user)
      latencies.push(sharedNow() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  return {
    perSecond: latencies.length / ((sharedNow() - begin) / 1_000),
    latencyMs: spreadOf(latencies),
  }
}

async function claim(from: pg.Pool, user: { id: string; user_name: string }): Promise<void> {
  const client = await from.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{
      id: string
      order_id: string
      token: number
      version: number
    }>(CLAIM, [user.id, user.user_name])
    const row = rows[0]
    if (!row) throw new Error('the queue ran dry')
    await client.query(
      `insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name, holder_id)
        values ($1, 'CLAIM', 'unclaimed', 'toAudit', $2, $3, $4, $3)`,
      [row.id, row.token, user.id, user.user_name],
    )
    await client.query(
      `insert into bare_event (type, subject, rooms, data, actor_id, actor_name, entity_version)
        values ('review.claimed', $1, $2, $3, $4, $5, $6)`,
      [
        `review:${row.id}`,
        ['queue:review', `review:${row.id}`],
        JSON.stringify({
          reviewId: row.id,
          reviewerId: user.id,
          token: row.token,
          state: 'toAudit',
        }),
        user.id,
        user.user_name,
        row.version,
      ],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
