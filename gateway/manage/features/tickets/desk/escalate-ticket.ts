/**
 * ESCALATE: raises the level by one, notifies the head of the department and shortens the due time.
 */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { tightened } from '#shared/tickets/ticket-clock.ts'
import { MAX_LEVEL } from '#shared/tickets/ticket-sets.ts'
import type { escalateTicket as escalateCall } from '#shared/tickets/tickets-api.ts'
import { TOP_LEVEL } from '#shared/tickets/tickets-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logTicket, notifyAboutTicket, emitEscalated } from '../ticket-events.ts'
import {
  nextProgress,
  requireAction,
  requireProcessor,
  requireVersion,
} from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, type LockedTicket, type Moved, moveTicket } from '../ticket-store.ts'

/** @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, F-TOP, G409 */
export async function escalateTicket(
  tx: CommandTx,
  { feedbackId, version, reason }: InputOf<typeof escalateCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'superior')
  const facts = requireProcessor(tx, ticket, 'ESCALATE', 'decide')
  await requireVersion(tx, ticket, version)
  if (ticket.level >= MAX_LEVEL) throw new Problem(TOP_LEVEL)
  const to = nextProgress(ticket, {
    type: 'ESCALATE',
    level: ticket.level,
    reason,
    bySystem: false,
    ...facts,
  })
  return (await raise(tx, ticket, { to, kind: 'escalated', reason, levels: 1, set: [] })).row
}

/** @param levels number of levels to raise, capped at the highest */
export async function raise(
  tx: CommandTx,
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
  const now = await tx.now()
  const level = Math.min(MAX_LEVEL, ticket.level + levels)
  let { reply_due_at: replyDueAt, answer_due_at: answerDueAt } = ticket
  for (let n = ticket.level; n < level; n += 1)
    [replyDueAt, answerDueAt] = [tightened(replyDueAt, now), tightened(answerDueAt, now)]
  const moved = await moveTicket(tx, ticket, {
    to,
    set: [
      sql`
        level = ${level}, reply_due_at = ${replyDueAt}::timestamptz,
          answer_due_at = ${answerDueAt}::timestamptz, sla_told = 0`,
      ...set,
    ],
    step: { kind, content: reason },
  })
  emitEscalated(tx, moved)
  logTicket(tx, kind === 'escalated' ? 'superior' : 'ticketSla', moved)
  for (const userId of await superiorsOf(tx, ticket))
    notifyAboutTicket(tx, userId, 'decision', 'escalated', moved.row, { level })
  if (kind === 'autoEscalated')
    notifyAboutTicket(tx, ticket.processor_id, 'sla', 'escalated', moved.row, { level })
  return moved
}

/**
 * The head of the ticket's department, or the managers when it has no department. Never the person
 * the ticket is about.
 */
async function superiorsOf(tx: CommandTx, ticket: LockedTicket): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role g on g.id = u.role_id
    where u.status in ('enabled', 'normal') and u.id is distinct from ${ticket.about_id}
      and u.id is distinct from ${ticket.processor_id}
      and case when ${ticket.department}::text is null then g.unique_mark = 'manager'
        else u.id = (select d.officer_id from department d where d.id = ${ticket.department}) end`.execute(
    tx.db,
  )
  return rows.map(({ id }) => id)
}
