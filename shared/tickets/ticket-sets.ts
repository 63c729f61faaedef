/** Closed sets of the feedback tickets (roles.md 5.7) and which button code opens what in which queue. */
export const TICKET_QUEUES = ['operation', 'loaned'] as const
export type TicketQueue = (typeof TICKET_QUEUES)[number]

/** 1 usage, 2 disbursement, 3 repayment, 4 collection, 5 complaint, 6 other. */
export const TICKET_TYPES = [1, 2, 3, 4, 5, 6] as const
export type TicketType = (typeof TICKET_TYPES)[number]
/** Last part of the parameter `ticket.sla.*` that says when the first reply is due. */
export const TYPE_NAMES = {
  1: 'usage',
  2: 'disbursement',
  3: 'repayment',
  4: 'collection',
  5: 'complaint',
  6: 'other',
} as const satisfies Record<TicketType, string>

/** Collection and complaint: the customer's case is held until the ticket ends (domain.md 1, rule 8). */
export const GRIEVANCE_TYPES: readonly TicketType[] = [4, 5]
export function isGrievance(type: number): boolean {
  return (GRIEVANCE_TYPES as readonly number[]).includes(type)
}

/** Queue of a new ticket: collection, and repayment when the order is overdue, go to the post-loan queue. */
export function queueOf(type: TicketType, isOverdue: boolean): TicketQueue {
  return type === 4 || (type === 3 && isOverdue) ? 'loaned' : 'operation'
}

/** Highest level of escalation. */
export const MAX_LEVEL = 3
/** Within this many days after its end a customer's message or low rating opens a ticket again. */
export const REOPEN_DAYS = 7
/** A rating up to this one opens the ticket again. */
export const LOW_RATING = 2

export const TICKET_TABS = ['queue', 'mine', 'handover', 'finished', 'all'] as const
export type TicketTab = (typeof TICKET_TABS)[number]

export const STATEMENT_GROUPS = ['day', 'type', 'department', 'processor'] as const
export type StatementGroup = (typeof STATEMENT_GROUPS)[number]

/** Why a ticket has another processor, or none. */
export const ASSIGN_CAUSES = [
  'claimed',
  'assigned',
  'distributed',
  'handover',
  'released',
  'expired',
  'offDuty',
] as const
export type AssignCause = (typeof ASSIGN_CAUSES)[number]

export const STEP_KINDS = [
  'created',
  'claimed',
  'assigned',
  'distributed',
  'released',
  'expired',
  'offDuty',
  'reply',
  'note',
  'customerMessage',
  'handoverAsked',
  'handoverApproved',
  'handoverRejected',
  'handoverCancelled',
  'handoverExpired',
  'handoverClosed',
  'escalated',
  'autoEscalated',
  'resolved',
  'reopened',
  'rated',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

export const TICKET_ACTIONS = [
  'view',
  'add',
  'reply',
  'resolve',
  'transfer',
  'decide',
  'reopen',
  'superior',
  'distribute',
  'reveal',
] as const
export type TicketAction = (typeof TICKET_ACTIONS)[number]

export const QUEUE_MENU = {
  operation: 'operation_ticket',
  loaned: 'loaned_ticket',
} as const satisfies Record<TicketQueue, string>

/**
 * Whether somebody with these codes may do this to tickets of the queue. Intake (`user_feedback`) holds for both queues, the
 * queue's own screen for its tickets.
 */
export function mayTicket(
  permissions: ReadonlySet<string>,
  queue: TicketQueue,
  action: TicketAction,
): boolean {
  return (
    permissions.has(`user_feedback:${action}`) || permissions.has(`${QUEUE_MENU[queue]}:${action}`)
  )
}
