/** Every few seconds: warns holders whose lease is about to end, frees claims whose lease has ended, ends hand-overs nobody decided. */
import { sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/review/handover-lifecycle.ts'
import { REVIEW_LEASE_EXPIRING } from '#shared/review/review-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { backToQueue } from './claims/end-claim.ts'
import { WARNING_SECONDS } from './claims/renew-claim.ts'
import { endHandover, lockHandover } from './handovers/handover-store.ts'
import { logReview, MENU, notifyOf } from './review-events.ts'
import { changeReview, lockIfFree, lockReviews } from './review-store.ts'

const NAME = 'leaseSweep'
/** Rows freed in one transaction. */
const BATCH = 50
const IS_OVER = sql<boolean>`least(r.idle_until, r.live_until) <= clock_timestamp()`

export const leaseSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(house) {
    const warned = await warnHolders(house)
    const freed = await freeClaims(house)
    const ended = await endHandovers(house)
    return warned + freed + ended === 0
      ? ''
      : `warned ${warned}, freed ${freed}, hand-overs ended ${ended}`
  },
}

/** Once per approach to the end: mark and event are one statement; a heartbeat that moves the lease takes the mark away. */
async function warnHolders(house: House): Promise<number> {
  const warned = await sql`
    with warned as (
      update review r set warned_at = clock_timestamp()
      where r.idle_until is not null and r.warned_at is null and least(r.idle_until, r.live_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) and not ${IS_OVER}
      returning r.id, r.reviewer_id, r.idle_until, r.live_until
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${REVIEW_LEASE_EXPIRING.type}::text, 'review:' || r.id, array['user:' || r.reviewer_id], jsonb_build_object('reviewId', r.id, 'leaseUntil', ${isoTime('least(r.idle_until, r.live_until)')}), ${NAME}::text
    from warned r`.execute(house.database.kysely)
  const count = Number(warned.numAffectedRows ?? 0n)
  if (count > 0) house.wakeRelay()
  return count
}

async function freeClaims(house: House): Promise<number> {
  let freed = 0
  for (;;) {
    const { rows } = await sql<{
      id: string
    }>`select r.id from review r where r.idle_until is not null and ${IS_OVER} order by least(r.idle_until, r.live_until), r.id limit ${BATCH}`.execute(
      house.database.kysely,
    )
    if (rows.length === 0) return freed
    const done = await command(house, (cx) =>
      freeBatch(
        cx,
        rows.map((row) => row.id),
      ),
    )
    freed += done
    // what is left is locked by somebody who decides about it now: the next sweep looks again
    if (done < BATCH) return freed
  }
}

async function freeBatch(cx: Cx, ids: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of ids) {
    const review = await lockIfFree(cx, id, IS_OVER)
    if (!review) continue
    const row = await backToQueue(
      cx,
      review,
      { type: 'LEASE_EXPIRED', leaseOver: review.lease_over },
      'expired',
    )
    logReview(cx, NAME, review, row)
    freed += 1
  }
  return freed
}

async function endHandovers(house: House): Promise<number> {
  const { rows } = await sql<{ id: string; review_id: string }>`
    select h.id, h.review_id from review_handover h where h.state = 'pending' and h.expires_at <= clock_timestamp() order by h.expires_at limit 500`.execute(
    house.database.kysely,
  )
  let ended = 0
  for (const { id, review_id: reviewId } of rows)
    if (await command(house, (cx) => endOne(cx, id, reviewId))) ended += 1
  return ended
}

async function endOne(cx: Cx, handoverId: string, reviewId: string): Promise<boolean> {
  const [review] = await lockReviews(cx, sql<boolean>`r.id = ${reviewId}`)
  const handover = await lockHandover(
    cx,
    sql<boolean>`h.id = ${handoverId} and h.state = 'pending'`,
  )
  const event = { type: 'EXPIRE', deadlinePassed: handover?.is_over ?? false } as const
  if (!review || !handover || !handoverLifecycle.can(handover.state, event)) return false
  // a stored hand-over never goes back to `new`
  const to = handoverLifecycle.next(handover.state, event) as HandoverState
  const state = await endHandover(cx, handover, to, {
    cause: HANDOVER_CAUSES.EXPIRE,
    reason: null,
    version: review.version + 1,
  })
  const row = await changeReview(cx, review, { event: 'HANDOVER_EXPIRED', set: [state] })
  logReview(cx, NAME, review, row, { handoverId })
  notifyOf(cx, handover.requested_by, 'handover', 'handoverExpired', row)
  return true
}

async function command<T>(house: House, work: (cx: Cx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    house,
    { actor: systemActor(NAME), audit: { action: NAME, menu: MENU } },
    work,
  )
  // without an idempotency key nothing is ever replayed
  return (outcome as { result: T }).result
}
