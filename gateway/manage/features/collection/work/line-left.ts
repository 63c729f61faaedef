/** Whether the line of a person has a call left, today and now. */
import { sql } from 'kysely'
import { LINE_BUSY, LINE_FULL, Problem } from '#shared/kernel/problem.ts'
import { istClock } from '#shared/kernel/time.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { IST_MIDNIGHT } from '../cases/case-row.ts'

/** A line that carries as many calls as it can. */
export interface BusyLine {
  number: string
  /** Calls at once. */
  n: number
  /** When the oldest of them occupies it no longer, with or without a result; ISO 8601 UTC. */
  freeTime: string
}

/** Kind of the calls in `call_log` that go over a kind of line. */
const CALLS = { service: 'case', promotional: 'tele' } as const
type CallLine = keyof typeof CALLS

/**
 * A line bound to a person has its calls of the day, and carries so many at once. WhatsApp messages
 * occupy nothing.
 * @throws Problem C-LINE, C-LINEB
 */
export async function requireLineLeft(
  tx: CommandTx,
  { userId }: StaffActor,
  { kind, customerId }: { kind: CallLine | 'whatsapp'; customerId: string },
): Promise<void> {
  const way = kind === 'whatsapp' ? 'whatsapp' : 'phone'
  // the lock: two calls of the person must not both be the last one; so the calls are counted by a
  // statement of their own, which sees those of the other one
  const lines = await sql<{ cap: number }>`
    select p.daily_cap as cap from phone_line p
    where p.bound_user_id = ${userId} and p.kind = ${kind} and p.status = 'enabled'
    for update`.execute(tx.db)
  const [line] = lines.rows
  if (!line) return
  const calls = await sql<{ used: number }>`
    select count(*)::int as used from call_log l
    where l.user_id = ${userId} and l.way = ${way} and l.started_at >= ${IST_MIDNIGHT}`.execute(
    tx.db,
  )
  if ((calls.rows[0]?.used ?? 0) >= line.cap) throw new Problem(LINE_FULL, { n: line.cap })
  if (kind === 'whatsapp') return
  const busy = await busyLine(tx.db, userId, { kind, customerId })
  if (busy === null) return
  const { number, n, freeTime } = busy
  throw new Problem(LINE_BUSY, { number, n, time: istClock(freeTime) }, { openTime: freeTime })
}

/**
 * The person's line when it has no call left now for this customer. The console is not informed when a call
 * by hand ends: it occupies its line from the press until its result is recorded, the person calls the
 * same customer again, or so many minutes have passed (parameter).
 */
export async function busyLine(
  db: Db,
  userId: string,
  { kind, customerId }: { kind: CallLine; customerId: string },
): Promise<BusyLine | null> {
  const minutes = sql`make_interval(mins => ${intParameter('collection.lineCallMinutes')})`
  const { rows } = await sql<BusyLine>`
    select p.number, p.concurrency as n, ${isoTime('out.free_at')} as "freeTime"
    from phone_line p cross join lateral (
      select count(*) as n, min(x.at) + ${minutes} as free_at from (
        select max(l.started_at) as at from call_log l
        where l.user_id = ${userId} and l.way = 'phone' and l.kind = ${CALLS[kind]}
          and l.state = 'started' and l.started_at > clock_timestamp() - ${minutes}
          and l.customer_id <> ${customerId} group by l.customer_id
      ) x
    ) out
    where p.bound_user_id = ${userId} and p.kind = ${kind} and p.status = 'enabled'
      and out.n >= p.concurrency`.execute(db)
  return rows[0] ?? null
}
