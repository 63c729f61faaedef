/**
 * Verification call of a review: dialled by its holder within the calling hours, then its outcome.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, OUTSIDE_CALL_HOURS, Problem } from '#shared/kernel/problem.ts'
import type { teleReview as teleCall } from '#shared/review/review-api.ts'
import { TELE_WINDOW, type TeleEvent, teleLifecycle } from '#shared/review/tele-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, emitCalled } from '../review-events.ts'
import { wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, type LockedReview, requireHolder } from '../review-store.ts'

type Call = InputOf<typeof teleCall>

/**
 * @throws Problem G404, V-LEASE, V-STATE, C-WIN, G-FIELD (an answered call without answers, or a
 * missed one without contact result)
 */
export async function teleReview(tx: CommandTx, call: Call): Promise<ReviewRow> {
  const review = await lockReview(tx, call.reviewId)
  const { isOwner } = await requireHolder(tx, review, call.token)
  // calls are allowed only while the review is under review
  if (review.state !== 'underReview') throw await wrongState(tx.db, review, 'DIAL')
  const event = await eventOf(tx, review, call, isOwner)
  if (!teleLifecycle.can(review.tele_call_state, event))
    throw await wrongState(
      tx.db,
      review,
      event.type,
      teleLifecycle.allowed(review.tele_call_state),
      review.tele_call_state,
    )
  const to = teleLifecycle.next(review.tele_call_state, event)
  const row = await changeReview(tx, review, {
    event: event.type,
    set: [sql`tele_call_state = ${to}`, outcomeOf(event, review)],
    note: noteOf(call),
  })
  emitCalled(tx, row)
  logReview(tx, 'tele', review, row, { callState: to })
  return row
}

async function eventOf(
  tx: CommandTx,
  review: LockedReview,
  { callState, answers, contactResult, borrowerAgreed = false }: Call,
  isOwner: boolean,
): Promise<TeleEvent> {
  if (callState === 'connected') {
    if (!answers || Object.keys(answers).length === 0)
      throw new Problem(INVALID_FIELDS, {}, { fields: { answers: 'required' } })
    return { type: 'ANSWERED', answers }
  }
  if (callState === 'notConnected') {
    if (contactResult === undefined)
      throw new Problem(INVALID_FIELDS, {}, { fields: { contactResult: 'required' } })
    return { type: 'NO_ANSWER', contactResult }
  }
  const { clock, from, to } = await callHours(tx)
  if (!borrowerAgreed && (clock < from || clock >= to))
    throw new Problem(OUTSIDE_CALL_HOURS, { from, to })
  return {
    type: 'DIAL',
    istClock: clock,
    borrowerAgreed,
    attemptsToday: review.tele_today,
    isOwner,
  }
}

/** The parameters may narrow the lifecycle's hours, never widen them. */
async function callHours(tx: CommandTx): Promise<{ clock: string; from: string; to: string }> {
  const { rows } = await sql<{ clock: string; from: string; to: string }>`
    select to_char(clock_timestamp() at time zone 'Asia/Kolkata', 'HH24:MI') as clock,
      greatest((select c.value from sys_config c where c.code = 'marketing.callFrom'
        and c.state = 'enabled'), ${TELE_WINDOW.from}::text) as "from",
      least((select c.value from sys_config c where c.code = 'marketing.callTo'
        and c.state = 'enabled'), ${TELE_WINDOW.to}::text) as "to"`.execute(tx.db)
  return rows[0] as { clock: string; from: string; to: string }
}

function outcomeOf(event: TeleEvent, review: LockedReview) {
  switch (event.type) {
    case 'DIAL':
      return sql`
        tele_attempts = ${review.tele_today + 1},
          tele_day = (clock_timestamp() at time zone 'Asia/Kolkata')::date`
    case 'ANSWERED':
      return sql`tele_answers = ${JSON.stringify(event.answers)}::jsonb`
    case 'NO_ANSWER':
      return sql`tele_answers = null`
  }
}

function noteOf({ contactResult, borrowerAgreed, remark }: Call): string | null {
  const parts = [
    contactResult === undefined ? '' : `result ${contactResult}`,
    borrowerAgreed ? 'agreed time' : '',
    remark ?? '',
  ]
  return parts.filter((part) => part !== '').join('; ') || null
}
