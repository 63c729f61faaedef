/** Closed sets of batch runs. */

/**
 * What a batch does to each order.
 * - `idcheck`: the identity of a customer whose application is with reviewers is open again; a pass
 *   needs the identity points of the checklist.
 * - `credit`: the machine reviews an abnormal application again.
 * - `verify`: the check before disbursement reads the bank card of the customer again.
 * - `electricVerify`: a pass needs an answered verification call.
 * - `manualReview`: an abnormal application whose retries are spent goes to people.
 * - `raiseLimit`, `reduceRate`: the customer of an application that is not paid out yet gets a higher
 *   limit, or the application a lower daily rate, within the terms of the product.
 * - `productTerm`: an application that is not paid out yet gets another term; it is paid out when the
 *   borrower has accepted that.
 */
export const BATCH_KINDS = [
  'idcheck',
  'credit',
  'verify',
  'electricVerify',
  'manualReview',
  'raiseLimit',
  'reduceRate',
  'productTerm',
] as const
export type BatchKind = (typeof BATCH_KINDS)[number]

/**
 * Paise more or basis points of the limit; the new daily rate in basis points; days to the last
 * instalment, and how many instalments.
 */
export interface BatchParams {
  amount?: number
  ratio?: number
  rate?: number
  tenureDays?: number
  term?: number
}
/** What each must be given: all of one of these; nothing where there is none. */
export const BATCH_PARAMS: Readonly<
  Record<BatchKind, readonly (readonly (keyof BatchParams)[])[]>
> = {
  idcheck: [],
  credit: [],
  verify: [],
  electricVerify: [],
  manualReview: [],
  raiseLimit: [['amount'], ['ratio']],
  reduceRate: [['rate']],
  productTerm: [['tenureDays', 'term']],
}

export const BATCH_SOURCES = ['filter', 'file'] as const
export const BATCH_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const ITEM_RESULTS = ['waiting', 'ok', 'failed'] as const

/** Why an order that was named is left out. */
export const BATCH_LEFT_OUT = [
  'unknown',
  'state',
  'notWithReviewers',
  'demanded',
  'connected',
  'noCard',
  'sameCard',
  'retriesSpent',
  'retriesLeft',
  'paidOut',
  'noCredit',
  'atBound',
  'sameTerm',
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
