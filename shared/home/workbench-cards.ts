/**
 * Cards of the workbench with the unit of each figure: a number, paise, seconds, or a rank within a
 * group.
 */
export const WORKBENCH_CARDS = {
  reviewing: 'count',
  awaitingReview: 'count',
  disbursing: 'count',
  awaitingRepayment: 'count',
  overdue: 'count',
  disbursedToday: 'money',
  repaidToday: 'money',
  disbursementFailed: 'count',
  toApprove: 'count',
  claimable: 'count',
  mine: 'count',
  averageTime: 'seconds',
  decidedToday: 'count',
  toCheck: 'count',
  ticketsWaiting: 'count',
  ticketsOpen: 'count',
  ticketsDueSoon: 'count',
  casesDue: 'count',
  promisesToday: 'count',
  promisedToday: 'money',
  recoveredToday: 'money',
  rank: 'rank',
  teleTasks: 'count',
  teleDue: 'count',
} as const satisfies Record<string, 'count' | 'money' | 'seconds' | 'rank'>

export type CardKey = keyof typeof WORKBENCH_CARDS
// the object has at least one key
export const CARD_KEYS = Object.keys(WORKBENCH_CARDS) as [CardKey, ...CardKey[]]
