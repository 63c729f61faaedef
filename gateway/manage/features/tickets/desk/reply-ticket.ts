import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { afterRemark } from '#shared/tickets/follow-lifecycle.ts'
import type { replyTicket as replyCall } from '#shared/tickets/tickets-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { logTicket, emitReplied, emitState } from '../ticket-events.ts'
import { attachFiles } from '../ticket-files.ts'
import {
  nextProgress,
  requireAction,
  requireProcessor,
  requireVersion,
} from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { CLAIMS, lockTicket, moveTicket } from '../ticket-store.ts'

/**
 * The first reply to the customer ends the lease and the first reply clock; the due time is then
 * the answer's.
 */
export function firstReply(now: string): RawBuilder<unknown> {
  return sql`
    first_reply_at = coalesce(t.first_reply_at, ${now}::timestamptz), sla_told = case
      when t.first_reply_at is null then 0 else t.sla_told end, ${CLAIMS.noLease}`
}

/**
 * REPLY: a message to the customer, or a note for colleagues.
 * @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409
 */
export async function replyTicket(
  tx: CommandTx,
  { feedbackId, version, content, internal = false, remark }: InputOf<typeof replyCall>,
  files: readonly Upload[],
): Promise<TicketRow> {
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'reply')
  const facts = requireProcessor(tx, ticket, 'REPLY', null)
  await requireVersion(tx, ticket, version)
  const to = nextProgress(ticket, { type: 'REPLY', content, ...facts })
  const moved = await moveTicket(tx, ticket, {
    to,
    follow: afterRemark(ticket.follow_state, content),
    set: internal ? [] : [firstReply(await tx.now())],
    step: {
      kind: internal ? 'note' : 'reply',
      content,
      remark: remark || null,
      internal,
      emitCustomer: !internal,
    },
  })
  await attachFiles(tx, { feedbackId, customerId: ticket.customer_id, stepId: moved.stepId }, files)
  emitReplied(tx, moved, { internal, byCustomer: false })
  emitState(tx, moved)
  logTicket(tx, 'reply', moved, {
    internal,
    ...(files.length === 0 ? {} : { files: filesInLog(files) }),
  })
  if (!internal) tx.afterCommit(() => tx.context.wakeSchedule('ticketMessage'))
  return moved.row
}
