/** ESCALATE: one level up; the head of the department is told and the target tightens. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { tightened } from '#shared/tickets/ticket-clock.ts'
import { MAX_LEVEL } from '#shared/tickets/ticket-sets.ts'
import type { escalateTicket as escalateCall } from '#shared/tickets/tickets-api.ts'
import { TOP_LEVEL } from '#shared/tickets/tickets-problems.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logTicket, notifyOf, tellEscalated } from '../ticket-events.ts'
import { nextProgress, requireAction, requireDesk, requireVersion } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, type LockedTicket, type Moved, moveTicket } from '../ticket-store.ts'

/** @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, F-TOP, G409 */
export async function escalateTicket(
  cx: Cx,
  { feedbackId, version, reason }: InputOf<typeof escalateCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(cx, feedbackId)
  requireAction(cx, ticket, 'superior')
  const desk = requireDesk(cx, ticket, 'ESCALATE', 'decide')
  await requireVersion(cx, ticket, version)
  if (ticket.level >= MAX_LEVEL) throw new Problem(TOP_LEVEL)
  const to = nextProgress(ticket, {
    type: 'ESCALATE',
    level: ticket.level,
    reason,
    bySystem: false,
    ...desk,
  })
  return (await raise(cx, ticket, { to, kind: 'escalated', reason, levels: 1, set: [] })).row
}

/** @param levels how many it goes up, to the highest at most */
export async function raise(
  cx: Cx,
  ticket: LockedTicket,
  {
    to,
    kind,
    reason,
    levels,
    set,
  }: {
    to: LockedTicket['progress']
    kind: 'escalated' | 'autoEscalated'
    reason: string | null
    levels: number
    set: RawBuilder<unknown>[]
  },
): Promise<Moved> {
  const now = await cx.now()
  const level = Math.min(MAX_LEVEL, ticket.level + levels)
  let { reply_due_at: replyDueAt, answer_due_at: answerDueAt } = ticket
  for (let n = ticket.level; n < level; n += 1)
    [replyDueAt, answerDueAt] = [tightened(replyDueAt, now), tightened(answerDueAt, now)]
  const moved = await moveTicket(cx, ticket, {
    to,
    set: [
      sql`level = ${level}, reply_due_at = ${replyDueAt}::timestamptz, answer_due_at = ${answerDueAt}::timestamptz, sla_told = 0`,
      ...set,
    ],
    step: { kind, content: reason },
  })
  tellEscalated(cx, moved)
  logTicket(cx, kind === 'escalated' ? 'superior' : 'ticketSla', moved)
  for (const userId of await superiorsOf(cx, ticket))
    notifyOf(cx, userId, 'decision', 'escalated', moved.row, { level })
  if (kind === 'autoEscalated')
    notifyOf(cx, ticket.processor_id, 'sla', 'escalated', moved.row, { level })
  return moved
}

/** The head of the ticket's department; without a department the managers. Never whom it is about. */
async function superiorsOf(cx: Cx, ticket: LockedTicket): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role g on g.id = u.role_id
    where u.status in ('enabled', 'normal') and u.id is distinct from ${ticket.about_id} and u.id is distinct from ${ticket.processor_id}
      and case when ${ticket.department}::text is null then g.unique_mark = 'manager' else u.id = (select d.officer_id from department d where d.id = ${ticket.department}) end`.execute(
    cx.db,
  )
  return rows.map(({ id }) => id)
}
