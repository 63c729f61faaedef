import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { afterRemark } from '#shared/tickets/follow-lifecycle.ts'
import type { replyTicket as replyCall } from '#shared/tickets/tickets-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { logTicket, tellReplied, tellState } from '../ticket-events.ts'
import { attachFiles } from '../ticket-files.ts'
import { nextProgress, requireAction, requireDesk, requireVersion } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, moveTicket, NO_LEASE } from '../ticket-store.ts'

/** The first word to the customer ends the lease and the first clock; from then on the answer's due time counts. */
export function firstReply(now: string): RawBuilder<unknown> {
  return sql`first_reply_at = coalesce(t.first_reply_at, ${now}::timestamptz), sla_told = case when t.first_reply_at is null then 0 else t.sla_told end, ${NO_LEASE}`
}

/** REPLY: a word to the customer, or a note for colleagues. @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409 */
export async function replyTicket(
  cx: Cx,
  { feedbackId, version, content, internal = false, remark }: InputOf<typeof replyCall>,
  files: readonly Upload[],
): Promise<TicketRow> {
  const ticket = await lockTicket(cx, feedbackId)
  requireAction(cx, ticket, 'reply')
  const desk = requireDesk(cx, ticket, 'REPLY', null)
  await requireVersion(cx, ticket, version)
  const to = nextProgress(ticket, { type: 'REPLY', content, ...desk })
  const moved = await moveTicket(cx, ticket, {
    to,
    follow: afterRemark(ticket.follow_state, content),
    set: internal ? [] : [firstReply(await cx.now())],
    step: {
      kind: internal ? 'note' : 'reply',
      content,
      remark: remark || null,
      internal,
      tellCustomer: !internal,
    },
  })
  await attachFiles(cx, { feedbackId, customerId: ticket.customer_id, stepId: moved.stepId }, files)
  tellReplied(cx, moved, { internal, byCustomer: false })
  tellState(cx, moved)
  logTicket(cx, 'reply', moved, {
    internal,
    ...(files.length === 0 ? {} : { files: filesInLog(files) }),
  })
  if (!internal) cx.afterCommit(() => cx.house.wakeSchedule('ticketMessage'))
  return moved.row
}
