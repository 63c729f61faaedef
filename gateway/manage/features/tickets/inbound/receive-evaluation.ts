/** The customer rates an ended ticket. A low rating within a week opens it again; later it is only kept. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { inboundEvaluate as evaluateCall } from '#shared/tickets/inbound-feedback-api.ts'
import { LOW_RATING } from '#shared/tickets/ticket-sets.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { reopen } from '../desk/reopen-ticket.ts'
import { logTicket, tellState } from '../ticket-events.ts'
import { wrongState } from '../ticket-refusals.ts'
import { lockAnyTicket, moveTicket } from '../ticket-store.ts'
import { endedLately } from './receive-feedback.ts'

/** @throws Problem G404 for a ticket that is not there or not his, F-STATE for one that has not ended */
export async function receiveEvaluation(
  cx: Cx,
  { userId, feedbackId, evaluation }: InputOf<typeof evaluateCall>,
): Promise<DataOf<typeof evaluateCall>> {
  const ticket = await lockAnyTicket(
    cx,
    sql<boolean>`t.id = ${feedbackId} and t.customer_id = ${userId}`,
  )
  if (ticket === null) throw new Problem(NOT_FOUND)
  if (ticket.progress !== 'finished') throw wrongState(ticket, 'REOPEN')
  if (evaluation <= LOW_RATING && (await endedLately(cx, ticket))) {
    const { row } = await reopen(cx, ticket, {
      byCustomer: true,
      reason: `${evaluation}/5`,
      evaluation,
    })
    return { feedbackId: row.feedbackId, progress: row.progress }
  }
  const moved = await moveTicket(cx, ticket, {
    set: [sql`evaluation = ${evaluation}`],
    step: { kind: 'rated', content: `${evaluation}/5` },
  })
  tellState(cx, moved)
  logTicket(cx, 'evaluate', moved, { evaluation })
  return { feedbackId: moved.row.feedbackId, progress: moved.row.progress }
}
