/** Closed sets of feedback tickets, and which button code applies in which queue. */
export const TICKET_QUEUES = ['operation', 'loaned'] as const
export type TicketQueue = (typeof TICKET_QUEUES)[number]

/** 1 usage, 2 disbursement, 3 repayment, 4 collection, 5 complaint, 6 other. */
export const TICKET_TYPES = [1, 2, 3, 4, 5, 6] as const
export type TicketType = (typeof TICKET_TYPES)[number]
/** Last part of the parameter `ticket.sla.*` with the minutes to the first reply. */
export const TYPE_NAMES = {
  1: 'usage',
  2: 'disbursement',
  3: 'repayment',
  4: 'collection',
  5: 'complaint',
  6: 'other',
} as const satisfies Record<TicketType, string>

/** Collection and complaint: the customer's case is on hold until the ticket is resolved. */
export const GRIEVANCE_TYPES: readonly TicketType[] = [4, 5]
export function isGrievance(type: number): boolean {
  return (GRIEVANCE_TYPES as readonly number[]).includes(type)
}

/**
 * Queue of a new ticket: collection, and repayment when the order is overdue, go to the post-loan
 * queue.
 */
export function queueOf(type: TicketType, isOverdue: boolean): TicketQueue {
  return type === 4 || (type === 3 && isOverdue) ? 'loaned' : 'operation'
}

/** Highest level of escalation. */
export const MAX_LEVEL = 3
/**
 * Within this many days after the resolution a customer's message or low rating reopens a ticket.
 */
export const REOPEN_DAYS = 7
/** A rating up to this one reopens the ticket. */
export const LOW_RATING = 2

export const TICKET_TABS = ['queue', 'mine', 'handover', 'finished', 'all'] as const
export type TicketTab = (typeof TICKET_TABS)[number]

const DATED_SORTS: readonly string[] = ['feedbackId', 'createTime', 'dueTime', 'finishTime']
const WORK_SORTS: readonly string[] = [
  ...DATED_SORTS,
  ...['type', 'processorName', 'progress', 'followState', 'level', 'evaluation'],
]
/**
 * Open tickets can be sorted by what is done with them; the lists that hold the past by their
 * numbers and times, which have an index.
 */
export function ticketSorts(tab: TicketTab): readonly string[] {
  return tab === 'all' || tab === 'finished' ? DATED_SORTS : WORK_SORTS
}

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
 * Whether these codes allow the action on tickets of the queue. Codes of intake (`user_feedback`)
 * apply to both queues, those of a queue's own menu to its tickets.
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
