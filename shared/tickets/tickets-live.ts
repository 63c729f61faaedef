import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/**
 * Live events of tickets. They carry only ids, codes, times and staff names. All events of one step
 * carry the same version.
 */
const id = Type.String()
const maybe = Nullable(id)
const int = Type.Integer()

export const TICKET_CREATED = liveEvent(
  'ticket.created',
  Type.Object({ feedbackId: id, type: int, queue: id, dueTime: id }),
)
/**
 * The processor changed, or (`toUserId` null) the ticket is back in the queue; `cause` is one of
 * ASSIGN_CAUSES. `department` is the ticket's current one.
 */
export const TICKET_ASSIGNED = liveEvent(
  'ticket.assigned',
  Type.Object({
    feedbackId: id,
    queue: id,
    fromUserId: maybe,
    toUserId: maybe,
    toUserName: maybe,
    progress: id,
    department: maybe,
    departmentName: maybe,
    leaseUntil: maybe,
    token: int,
    cause: id,
  }),
)
/**
 * A step was added; `byCustomer` = by the customer. Changes of the row are in
 * `ticket.state.changed` of the same version.
 */
export const TICKET_REPLIED = liveEvent(
  'ticket.replied',
  Type.Object({ feedbackId: id, stepId: id, internal: Type.Boolean(), byCustomer: Type.Boolean() }),
)
/**
 * `from` = `to` when only the follow state, the first reply or the evaluation changed. Times are
 * the row's current ones.
 */
export const TICKET_STATE_CHANGED = liveEvent(
  'ticket.state.changed',
  Type.Object({
    feedbackId: id,
    queue: id,
    from: id,
    to: id,
    followState: id,
    evaluation: Nullable(int),
    processorId: maybe,
    processorName: maybe,
    firstReplyTime: maybe,
    dueTime: id,
    finishTime: maybe,
    leaseUntil: maybe,
    token: int,
  }),
)
export const TICKET_HANDOVER_CHANGED = liveEvent(
  'ticket.handover.changed',
  Type.Object({
    handoverId: id,
    feedbackId: id,
    queue: id,
    fromUserId: id,
    fromName: id,
    toUserId: maybe,
    toName: maybe,
    toDepartment: maybe,
    toDepartmentName: maybe,
    state: id,
    cause: maybe,
  }),
)
export const TICKET_ESCALATED = liveEvent(
  'ticket.escalated',
  Type.Object({ feedbackId: id, queue: id, level: int, department: maybe, dueTime: id }),
)
/**
 * Ten minutes before the due time (`missed` false) and at it. It changes no row, so it has no
 * version.
 */
export const TICKET_SLA_DUE = liveEvent(
  'ticket.sla.due',
  Type.Object({ feedbackId: id, queue: id, dueTime: id, missed: Type.Boolean() }),
)
export const TICKET_LEASE_EXPIRING = liveEvent(
  'ticket.lease.expiring',
  Type.Object({ feedbackId: id, leaseUntil: id }),
)
/**
 * A person switched automatic distribution; `takers` = people who take tickets of the queue now.
 */
export const TICKET_DISTRIBUTION_CHANGED = liveEvent(
  'ticket.distribution.changed',
  Type.Object({ queue: id, userId: id, on: Type.Boolean(), takers: int }),
)
/**
 * Sent to watchers of a ticket that changed hands: their sockets check their rights again. No
 * screen shows it.
 */
export const TICKET_ACCESS_CHANGED = liveEvent(
  'ticket.access.changed',
  Type.Object({ feedbackId: id }),
)
