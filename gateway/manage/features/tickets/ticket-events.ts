/**
 * Live events, operate log and notifications of tickets, so that all commands emit the same things
 * in the same way.
 */
import {
  TICKET_ACCESS_CHANGED,
  TICKET_ASSIGNED,
  TICKET_ESCALATED,
  TICKET_REPLIED,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import type { AssignCause } from '#shared/tickets/ticket-sets.ts'
import type { CommandTx, Notification } from '#gateway/manage/kernel/command.ts'
import type { Moved } from './ticket-store.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

export const MENU = 'user_feedback'
export const queueRoom = (queue: string): string => `queue:ticket:${queue}`
const MENU_OF: Record<string, string> = { operation: 'operation_ticket', loaned: 'loaned_ticket' }

/** The previous processor is notified too. */
function roomsOf({ rooms, from, row }: Moved): string[] {
  return from.processor_id === null || from.processor_id === row.processorId
    ? rooms
    : [...rooms, `user:${from.processor_id}`]
}

/** The processor changed, or the ticket has none now. */
export function emitAssigned(tx: CommandTx, moved: Moved, cause: AssignCause): void {
  const { row, from } = moved
  tx.emit(TICKET_ASSIGNED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms: roomsOf(moved),
    data: {
      feedbackId: row.feedbackId,
      queue: row.queue,
      fromUserId: from.processor_id,
      toUserId: row.processorId,
      toUserName: row.processorName,
      progress: row.progress,
      department: row.department,
      departmentName: row.departmentName,
      leaseUntil: row.leaseUntil,
      token: row.token,
      cause,
    },
  })
  // sockets that watch the ticket check their rights again, so a former processor who lost access
  // gets no more events within a second
  if (from.processor_id !== null)
    tx.emit(TICKET_ACCESS_CHANGED, {
      subject: `ticket:${row.feedbackId}`,
      version: row.version,
      rooms: [`ticket:${row.feedbackId}`],
      data: { feedbackId: row.feedbackId },
      recheck: true,
    })
}

/** Progress, follow state, first reply, due time or evaluation changed. */
export function emitState(tx: CommandTx, moved: Moved): void {
  const { row, from } = moved
  tx.emit(TICKET_STATE_CHANGED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms: roomsOf(moved),
    data: {
      feedbackId: row.feedbackId,
      queue: row.queue,
      from: from.progress,
      to: row.progress,
      followState: row.followState,
      evaluation: row.evaluation,
      processorId: row.processorId,
      processorName: row.processorName,
      firstReplyTime: row.firstReplyTime,
      dueTime: row.dueTime,
      finishTime: row.finishTime,
      leaseUntil: row.leaseUntil,
      token: row.token,
    },
  })
}

export function emitReplied(
  tx: CommandTx,
  { row, stepId, rooms }: Moved,
  { internal, byCustomer }: { internal: boolean; byCustomer: boolean },
): void {
  tx.emit(TICKET_REPLIED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms,
    data: { feedbackId: row.feedbackId, stepId, internal, byCustomer },
  })
}

export function emitEscalated(tx: CommandTx, { row, rooms }: Moved): void {
  tx.emit(TICKET_ESCALATED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms: [...rooms, 'role:manager'],
    data: {
      feedbackId: row.feedbackId,
      queue: row.queue,
      level: row.level,
      department: row.department,
      dueTime: row.dueTime,
    },
  })
}

/** Entry of the operate log: what changed, without personal data. */
export function logTicket(
  tx: CommandTx,
  action: string,
  { row, from }: Moved,
  more: Record<string, unknown> = {},
): void {
  tx.log({
    menu: MENU,
    action,
    targetKind: 'ticket',
    targetId: row.feedbackId,
    before: {
      progress: from.progress,
      processorId: from.processor_id,
      token: from.token,
      version: from.version,
    },
    after: {
      progress: row.progress,
      followState: row.followState,
      processorId: row.processorId,
      level: row.level,
      token: row.token,
      version: row.version,
      ...more,
    },
  })
}

export function notifyAboutTicket(
  tx: CommandTx,
  userId: string | null,
  kind: Notification['kind'],
  title: string,
  row: { feedbackId: string; queue: string },
  params: Record<string, string | number> = {},
): void {
  // nobody is notified of their own action
  if (userId === null || userId === tx.actor.userId) return
  tx.notify({
    userId,
    kind,
    titleKey: `tickets:notification.${title}`,
    params: { feedbackId: row.feedbackId, userName: tx.actor.userName, ...params },
    route: ticketPath(row.feedbackId, MENU_OF[row.queue] ?? MENU),
  })
}
