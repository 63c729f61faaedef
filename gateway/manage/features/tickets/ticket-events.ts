/** Live events, operate log and notices of the tickets, so that each command tells the same things the same way (api.md 26). */
import {
  TICKET_ACCESS_CHANGED,
  TICKET_ASSIGNED,
  TICKET_ESCALATED,
  TICKET_REPLIED,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import type { AssignCause } from '#shared/tickets/ticket-sets.ts'
import type { Cx, Notice } from '#gateway/manage/kernel/command.ts'
import type { Moved } from './ticket-store.ts'

export const MENU = 'user_feedback'
export const queueRoom = (queue: string): string => `queue:ticket:${queue}`
const MENU_OF: Record<string, string> = { operation: 'operation_ticket', loaned: 'loaned_ticket' }

/** Who had it hears it too. */
function roomsOf({ rooms, from, row }: Moved): string[] {
  return from.processor_id === null || from.processor_id === row.processorId
    ? rooms
    : [...rooms, `user:${from.processor_id}`]
}

/** Another processor, or none. */
export function tellAssigned(cx: Cx, moved: Moved, cause: AssignCause): void {
  const { row, from } = moved
  cx.emit(TICKET_ASSIGNED, {
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
  // who had it open and lost it hears nothing more of it within a second (trust.md E5); the others are asked and stay
  if (from.processor_id !== null)
    cx.emit(TICKET_ACCESS_CHANGED, {
      subject: `ticket:${row.feedbackId}`,
      version: row.version,
      rooms: [`ticket:${row.feedbackId}`],
      data: { feedbackId: row.feedbackId },
      recheck: true,
    })
}

/** Progress, follow state, first reply, due time or evaluation. */
export function tellState(cx: Cx, moved: Moved): void {
  const { row, from } = moved
  cx.emit(TICKET_STATE_CHANGED, {
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

export function tellReplied(
  cx: Cx,
  { row, stepId, rooms }: Moved,
  { internal, byCustomer }: { internal: boolean; byCustomer: boolean },
): void {
  cx.emit(TICKET_REPLIED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms,
    data: { feedbackId: row.feedbackId, stepId, internal, byCustomer },
  })
}

export function tellEscalated(cx: Cx, { row, rooms }: Moved): void {
  cx.emit(TICKET_ESCALATED, {
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

/** The operate log's line: what changed, without personal data. */
export function logTicket(
  cx: Cx,
  action: string,
  { row, from }: Moved,
  more: Record<string, unknown> = {},
): void {
  cx.log({
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

export function notifyOf(
  cx: Cx,
  userId: string | null,
  kind: Notice['kind'],
  title: string,
  row: { feedbackId: string; queue: string },
  params: Record<string, string | number> = {},
): void {
  // nobody is told of what he did himself
  if (userId === null || userId === cx.actor.userId) return
  cx.notify({
    userId,
    kind,
    titleKey: `tickets:notice.${title}`,
    params: { feedbackId: row.feedbackId, userName: cx.actor.userName, ...params },
    route: `/detail4?feedbackId=${row.feedbackId}&from=${MENU_OF[row.queue] ?? MENU}`,
  })
}
