/**
 * What machine and reviewers decide on an application, with the status it then has. An order gets
 * each of them once at most.
 */
export const ORDER_OUTCOMES = {
  autoPassed: 20,
  autoFailed: 21,
  undecided: 22,
  limitFailed: 23,
  manualPassed: 26,
  manualFailed: 27,
} as const

export type OrderOutcome = keyof typeof ORDER_OUTCOMES
