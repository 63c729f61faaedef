/**
 * Every few seconds: warns holders before the lease ends, frees expired claims, ends old
 * hand-overs.
 */
import { sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import { REVIEW_LEASE_EXPIRING } from '#shared/review/review-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { backToQueue } from './claims/end-claim.ts'
import { WARNING_SECONDS } from './claims/renew-claim.ts'
import { endHandover, lockHandover } from './handovers/handover-store.ts'
import { logReview, MENU, notifyAboutReview } from './review-events.ts'
import { changeReview, lockIfFree, lockReviews } from './review-store.ts'

const NAME = 'leaseSweep'
/** Rows freed per transaction. */
const BATCH = 50
const IS_OVER = sql<boolean>`least(r.idle_until, r.live_until) <= clock_timestamp()`

export const leaseSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    const warned = await warnHolders(context)
    const freed = await freeClaims(context)
    const ended = await endHandovers(context)
    return warned + freed + ended === 0
      ? ''
      : `warned ${warned}, freed ${freed}, hand-overs ended ${ended}`
  },
}

/**
 * Once per approaching end: mark and event are one statement; a heartbeat that extends the lease
 * clears the mark.
 */
async function warnHolders(context: AppContext): Promise<number> {
  const warned = await sql`
    with warned as (
      update review r set warned_at = clock_timestamp()
      where r.idle_until is not null and r.warned_at is null
        and least(r.idle_until,
        r.live_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) and not ${IS_OVER}
      returning r.id, r.reviewer_id, r.idle_until, r.live_until
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${REVIEW_LEASE_EXPIRING.type}::text, 'review:' || r.id, array['user:' || r.reviewer_id],
      jsonb_build_object('reviewId', r.id, 'leaseUntil', ${isoTime('least(r.idle_until, r.live_until)')}),
      ${NAME}::text
    from warned r`.execute(context.database.kysely)
  const count = Number(warned.numAffectedRows ?? 0n)
  if (count > 0) context.wakeRelay()
  return count
}

async function freeClaims(context: AppContext): Promise<number> {
  let freed = 0
  for (;;) {
    const { rows } = await sql<{
      id: string
    }>`
      select r.id
      from review r
      where r.idle_until is not null and ${IS_OVER}
      order by least(r.idle_until, r.live_until), r.id limit ${BATCH}`.execute(
      context.database.kysely,
    )
    if (rows.length === 0) return freed
    const done = await command(context, (tx) =>
      freeBatch(
        tx,
        rows.map((row) => row.id),
      ),
    )
    freed += done
    // remaining rows are locked by a concurrent decision: the next sweep checks them again
    if (done < BATCH) return freed
  }
}

async function freeBatch(tx: CommandTx, ids: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of ids) {
    const review = await lockIfFree(tx, id, IS_OVER)
    if (!review) continue
    const row = await backToQueue(
      tx,
      review,
      { type: 'LEASE_EXPIRED', leaseOver: review.lease_over },
      'expired',
    )
    logReview(tx, NAME, review, row)
    freed += 1
  }
  return freed
}

async function endHandovers(context: AppContext): Promise<number> {
  const { rows } = await sql<{ id: string; review_id: string }>`
    select h.id, h.review_id from review_handover h where h.state = 'pending'
      and h.expires_at <= clock_timestamp() order by h.expires_at limit 500`.execute(
    context.database.kysely,
  )
  let ended = 0
  for (const { id, review_id: reviewId } of rows)
    if (await command(context, (tx) => endOne(tx, id, reviewId))) ended += 1
  return ended
}

async function endOne(tx: CommandTx, handoverId: string, reviewId: string): Promise<boolean> {
  const [review] = await lockReviews(tx, sql<boolean>`r.id = ${reviewId}`)
  const handover = await lockHandover(
    tx,
    sql<boolean>`h.id = ${handoverId} and h.state = 'pending'`,
  )
  const event = { type: 'EXPIRE', deadlinePassed: handover?.is_over ?? false } as const
  if (!review || !handover || !handoverLifecycle.can(handover.state, event)) return false
  // a stored hand-over never returns to `new`
  const to = handoverLifecycle.next(handover.state, event) as HandoverState
  const state = await endHandover(tx, handover, to, {
    cause: HANDOVER_CAUSES.EXPIRE,
    reason: null,
    version: review.version + 1,
  })
  const row = await changeReview(tx, review, { event: 'HANDOVER_EXPIRED', set: [state] })
  logReview(tx, NAME, review, row, { handoverId })
  notifyAboutReview(tx, handover.requested_by, 'handover', 'handoverExpired', row)
  return true
}

async function command<T>(context: AppContext, work: (tx: CommandTx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    context,
    { actor: systemActor(NAME), audit: { action: NAME, menu: MENU } },
    work,
  )
  // without an idempotency key nothing is replayed
  return (outcome as { result: T }).result
}
