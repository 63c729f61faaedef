/** From registration to disbursement, in their order. A later step implies the earlier ones. */
export const PROCESS_STEPS = [
  'registered',
  'idCheck',
  'photos',
  'contacts',
  'bankCard',
  'creditPassed',
  'applied',
  'reviewPassed',
  'disbursed',
] as const

export type ProcessStep = (typeof PROCESS_STEPS)[number]
