/** Closed sets of collection. */
export const ALLOCATION_MODES = ['average', 'weight', 'amount', 'ability'] as const
export type AllocationMode = (typeof ALLOCATION_MODES)[number]

export const SHIFTS = ['off', 'morning', 'day', 'evening', 'leave'] as const
export type Shift = (typeof SHIFTS)[number]
/** Hours of a shift in IST; off and leave have none. */
export const SHIFT_HOURS: Record<Shift, { from: string; to: string; hours: number } | null> = {
  off: null,
  morning: { from: '08:00', to: '13:00', hours: 5 },
  day: { from: '09:00', to: '18:00', hours: 9 },
  evening: { from: '13:00', to: '19:00', hours: 6 },
  leave: null,
}

export const CONTACT_WAYS = ['phone', 'whatsapp', 'sms', 'email', 'visit'] as const
export type ContactWay = (typeof CONTACT_WAYS)[number]

/** Who began a contact: the lender or the borrower. */
export const CONTACT_DIRECTIONS = ['out', 'in'] as const
export type ContactDirection = (typeof CONTACT_DIRECTIONS)[number]

/**
 * How a person writes by WhatsApp: from a business line bound to them, by a link that reveals the
 * number, or not at all.
 */
export const WHATSAPP_WAYS = ['line', 'link', 'none'] as const
export type WhatsappWay = (typeof WHATSAPP_WAYS)[number]

/**
 * 1 self, 2 someone else, 3 no answer, 4 busy, 5 wrong number, 6 switched off, 7 WhatsApp
 * reachable, 8 WhatsApp no reply, 9 no WhatsApp.
 */
export const CONTACT_RESULTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type ContactResult = (typeof CONTACT_RESULTS)[number]
const REACHED: readonly number[] = [1, 2, 7]
/** What can come of a contact by this way; a borrower who began it was reached. */
export function resultsOf(way: ContactWay, direction: ContactDirection): readonly ContactResult[] {
  const all = RESULTS_OF_WAY[way]
  return direction === 'in' ? all.filter(isReached) : all
}
const RESULTS_OF_WAY: Record<ContactWay, readonly ContactResult[]> = {
  phone: [1, 2, 3, 4, 5, 6],
  whatsapp: [7, 8, 9, 2, 5],
  sms: [1, 2, 3, 5],
  email: [1, 2, 3, 5],
  visit: [1, 2, 3, 5],
}
/** Whether a person was reached with this result. */
export function isReached(result: number): boolean {
  return REACHED.includes(result)
}

/**
 * 1 willing and able, 2 willing but unable, 3 able but refuses, 4 able and wants to negotiate, 5
 * undetermined.
 */
export const WILLINGNESS = [1, 2, 3, 4, 5] as const

export const STOP_REASONS = [
  'grievance',
  'proofCheck',
  'dispute',
  'bereavement',
  'deceased',
  'disaster',
  'familyEvent',
  'hardship',
  'legal',
  'fraud',
  'wrongPerson',
  'other',
] as const
export type StopReason = (typeof STOP_REASONS)[number]
/** Set and ended by the system, with their ticket or proof. */
export const SYSTEM_STOPS: readonly StopReason[] = ['grievance', 'proofCheck']
/** Active at once, without approval. */
export const HUMANE_STOPS: readonly StopReason[] = [
  'bereavement',
  'deceased',
  'disaster',
  'familyEvent',
]
export const STOP_STATES = ['pending', 'active', 'ended', 'rejected'] as const
export type StopState = (typeof STOP_STATES)[number]

/** Reasons a person may give; the others come with the order. */
export const HAND_ENDS = ['duplicate', 'mistaken', 'deceased', 'settledElsewhere', 'other'] as const
export const CASE_ENDS = [
  'repaid',
  'repaidReduced',
  'extended',
  'writtenOff',
  ...HAND_ENDS,
] as const
export type CaseEnd = (typeof CASE_ENDS)[number]
/** How a case left a unit or person while it continues elsewhere: recalled, or given to another. */
export const LEFT_ENDS = ['recalled', 'moved'] as const

export const TRANSFER_TYPES = [
  'collectorToCollector',
  'collectorToGroup',
  'groupToGroup',
  'agencyToAgency',
  'toPool',
] as const
export type CaseTransferType = (typeof TRANSFER_TYPES)[number]
export const CHANGE_STATES = ['pending', 'approved', 'rejected', 'done'] as const
export type ChangeState = (typeof CHANGE_STATES)[number]
export const MOVE_CAUSES = [
  'enter',
  'auto',
  'manual',
  'recall',
  'change',
  'stageMove',
  'resume',
  'reopen',
] as const
export type MoveCause = (typeof MOVE_CAUSES)[number]
export const RUN_STATES = ['running', 'paused', 'done', 'cancelled', 'undone'] as const
export type RunState = (typeof RUN_STATES)[number]
/** Why a collector gets nothing, or no more, in an allocation. */
export const SKIP_REASONS = [
  'atCap',
  'offDuty',
  'closed',
  'locked',
  'termEnded',
  'certExpired',
  'disabled',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]
