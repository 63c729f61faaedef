/** Closed sets of batch runs. */

/**
 * What a batch does to each order, as one person would by hand. `credit`: the machine reviews an
 * abnormal application again. `manualReview`: one whose retries are spent goes to people. `raiseLimit`
 * and `reduceRate`: the customer of an application that is not paid out yet gets a higher limit, or
 * the application a lower daily rate, within the terms of the product.
 */
export const BATCH_KINDS = ['credit', 'manualReview', 'raiseLimit', 'reduceRate'] as const
export type BatchKind = (typeof BATCH_KINDS)[number]

/** Paise more or basis points of the limit; the new daily rate in basis points. */
export interface BatchParams {
  amount?: number
  ratio?: number
  rate?: number
}
/** What each must be given: one of them. */
export const BATCH_PARAMS: Readonly<Record<BatchKind, readonly (keyof BatchParams)[]>> = {
  credit: [],
  manualReview: [],
  raiseLimit: ['amount', 'ratio'],
  reduceRate: ['rate'],
}

export const BATCH_SOURCES = ['filter', 'file'] as const
export const BATCH_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const ITEM_RESULTS = ['waiting', 'ok', 'failed'] as const

/** Why an order that was named is left out. */
export const BATCH_LEFT_OUT = [
  'unknown',
  'state',
  'retriesSpent',
  'retriesLeft',
  'paidOut',
  'noCredit',
  'atBound',
  'emi',
  'unreadable',
  'repeated',
  'tooMany',
] as const
export type BatchLeftOut = (typeof BATCH_LEFT_OUT)[number]

export const BATCH_RUN_MOST = 5_000
export const BATCH_RUN_SHEET = {
  bytes: 1_048_576,
  kinds: ['xlsx', 'csv'],
  refusal: 'repayments:batch.fileKind',
} as const
