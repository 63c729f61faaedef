/**
 * The customer rates a resolved ticket. A low rating within a week reopens it; a later one is only
 * stored.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { inboundEvaluate as evaluateCall } from '#shared/tickets/inbound-feedback-api.ts'
import { LOW_RATING } from '#shared/tickets/ticket-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { reopen } from '../desk/reopen-ticket.ts'
import { logTicket, emitState } from '../ticket-events.ts'
import { wrongState } from '../ticket-refusals.ts'
import { lockAnyTicket, moveTicket } from '../ticket-store.ts'
import { endedLately } from './receive-feedback.ts'

/**
 * @throws Problem G404 for a ticket that does not exist or belongs to another customer, F-STATE for
 * one that is not resolved
 */
export async function receiveEvaluation(
  tx: CommandTx,
  { userId, feedbackId, evaluation }: InputOf<typeof evaluateCall>,
): Promise<DataOf<typeof evaluateCall>> {
  const ticket = await lockAnyTicket(
    tx,
    sql<boolean>`t.id = ${feedbackId} and t.customer_id = ${userId}`,
  )
  if (ticket === null) throw new Problem(NOT_FOUND)
  if (ticket.progress !== 'finished') throw wrongState(ticket, 'REOPEN')
  if (evaluation <= LOW_RATING && (await endedLately(tx, ticket))) {
    const { row } = await reopen(tx, ticket, {
      byCustomer: true,
      reason: `${evaluation}/5`,
      evaluation,
    })
    return { feedbackId: row.feedbackId, progress: row.progress }
  }
  const moved = await moveTicket(tx, ticket, {
    set: [sql`evaluation = ${evaluation}`],
    step: { kind: 'rated', content: `${evaluation}/5` },
  })
  emitState(tx, moved)
  logTicket(tx, 'evaluate', moved, { evaluation })
  return { feedbackId: moved.row.feedbackId, progress: moved.row.progress }
}
