/**
 * The customer app sends a new ticket, or a further message on one. A message within a week after
 * the resolution reopens the ticket, a later one opens a new ticket.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import type { inboundFeedback as feedbackCall } from '#shared/tickets/inbound-feedback-api.ts'
import { daysSince } from '#shared/tickets/ticket-clock.ts'
import { REOPEN_DAYS } from '#shared/tickets/ticket-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import { takeInline, type Upload } from '#gateway/manage/kernel/uploads.ts'
import { openTicket } from '../desk/open-ticket.ts'
import { reopen } from '../desk/reopen-ticket.ts'
import { logTicket, notifyAboutTicket, emitReplied, emitState } from '../ticket-events.ts'
import { attachFiles } from '../ticket-files.ts'
import { afterMove, lockAnyTicket, type LockedTicket, moveTicket } from '../ticket-store.ts'

type Answer = DataOf<typeof feedbackCall>

export type TakenFeedback = Omit<InputOf<typeof feedbackCall>, 'files'> & { files: Upload[] }

/** Runs before the transaction. @throws Problem G-FILE, G-SIZE */
export async function takeFeedback({
  files = [],
  ...message
}: InputOf<typeof feedbackCall>): Promise<TakenFeedback> {
  return { ...message, files: await takeInline(files, ATTACHED) }
}

/**
 * @throws Problem G404 for a customer, order or ticket that does not exist or belongs to another
 * customer
 */
export async function receiveFeedback(
  tx: CommandTx,
  { userId, feedbackId, type, content, orderId, contactWay, files }: TakenFeedback,
): Promise<Answer> {
  const known = await sql`select from customer c where c.id = ${userId}`.execute(tx.db)
  if (known.rows.length === 0) throw new Problem(NOT_FOUND)
  const ticket =
    feedbackId === undefined
      ? null
      : await lockAnyTicket(tx, sql<boolean>`t.id = ${feedbackId} and t.customer_id = ${userId}`)
  if (feedbackId !== undefined && ticket === null) throw new Problem(NOT_FOUND)
  if (ticket !== null && (ticket.progress !== 'finished' || (await endedLately(tx, ticket))))
    return addMessage(tx, ticket, content, files)
  const row = await openTicket(tx, {
    customerId: userId,
    type,
    content,
    orderId: orderId ?? ticket?.order_id ?? null,
    contactWay,
    files,
  })
  return { feedbackId: row.feedbackId, progress: row.progress }
}

export async function endedLately(tx: CommandTx, ticket: LockedTicket): Promise<boolean> {
  return ticket.finished_at !== null && daysSince(ticket.finished_at, await tx.now()) <= REOPEN_DAYS
}

async function addMessage(
  tx: CommandTx,
  ticket: LockedTicket,
  content: string,
  files: readonly Upload[],
): Promise<Answer> {
  const open =
    ticket.progress === 'finished'
      ? afterMove(await reopen(tx, ticket, { byCustomer: true, reason: '' }))
      : ticket
  const moved = await moveTicket(tx, open, { step: { kind: 'customerMessage', content } })
  await attachFiles(
    tx,
    { feedbackId: ticket.id, customerId: ticket.customer_id, stepId: moved.stepId },
    files,
  )
  emitReplied(tx, moved, { internal: false, byCustomer: true })
  emitState(tx, moved)
  logTicket(tx, 'customerMessage', moved, files.length === 0 ? {} : { files: filesInLog(files) })
  if (open === ticket)
    notifyAboutTicket(tx, ticket.processor_id, 'assigned', 'customerWrote', moved.row)
  return { feedbackId: moved.row.feedbackId, progress: moved.row.progress }
}
