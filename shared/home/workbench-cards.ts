/** Cards of the workbench (screens.md 1.4), each with what its figure is: a number, paise, seconds, or a place among the people of a group. */
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
} as const satisfies Record<string, 'count' | 'money' | 'seconds' | 'rank'>

export type CardKey = keyof typeof WORKBENCH_CARDS
// the object has at least one key
export const CARD_KEYS = Object.keys(WORKBENCH_CARDS) as [CardKey, ...CardKey[]]
