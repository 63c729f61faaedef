/** Why this user cannot act on a payment, an order, a reduction or a proof now. Pure. */
import { isParked } from '#shared/repayments/payment-sets.ts'
import { OPERATIONAL_FROM } from '#shared/repayments/write-off-sets.ts'
import { levelOf } from '#shared/repayments/reduction-sets.ts'
import type { ProofRow, RecordRow, ReduceRow } from '../payment-types.ts'

/** i18n key, or null when the user may confirm it. */
export function confirmRefusal(
  record: Pick<RecordRow, 'payState' | 'flag' | 'operatorId' | 'utr'>,
  userId: string,
): string | null {
  const refused = failRefusal(record, userId)
  if (refused !== null) return refused
  if (isParked(record)) return 'repayments:refused.parked'
  return record.utr === null ? 'repayments:refused.noUtr' : null
}

/** i18n key, or null when the user may mark it as failed. */
export function failRefusal(
  { payState, operatorId }: Pick<RecordRow, 'payState' | 'operatorId'>,
  userId: string,
): string | null {
  if (payState !== 'inProgress') return 'repayments:refused.answered'
  return operatorId === userId ? 'repayments:refused.own' : null
}

/** i18n key why no payment can be booked for an order in this status, or null. */
export function bookRefusal(status: number): string | null {
  if (status === 43) return 'repayments:refused.processing'
  return TAKES_PAYMENTS.has(status) ? null : 'repayments:refused.nothingDue'
}
/** i18n key why an order in this status cannot get a reduction, or null. */
export function reduceRefusal(status: number): string | null {
  if (status === 50 || status === 90) return null
  if (status === 43) return 'repayments:refused.processing'
  return status === 30 ? 'repayments:refused.notOverdue' : 'repayments:refused.nothingDue'
}

/** i18n key why an order in this status cannot be written off, or null. */
export function writeOffRefusal(status: number): string | null {
  if (OPERATIONAL_FROM.includes(status)) return null
  return status === 43 ? 'repayments:refused.processing' : 'repayments:refused.nothingDue'
}

/** i18n key why an order in this status cannot be cured of bad debt, or null. */
export function cureRefusal(status: number): string | null {
  if (status === 90) return null
  return status === 43 ? 'repayments:refused.processing' : 'repayments:refused.notBad'
}

/**
 * i18n key why a borrower cannot use the cooling-off exit now, or null.
 * @param until end of the cooling-off period, ISO 8601
 * @param now milliseconds
 */
export function exitRefusal(status: number, until: string | null, now: number): string | null {
  return status === 30 && until !== null && now < Date.parse(until)
    ? null
    : 'repayments:refused.coolingOff'
}

/** i18n key why this user cannot decide a reduction, or null. */
export function decideRefusal(
  { state, launchById, launchRole }: Pick<ReduceRow, 'state' | 'launchById' | 'launchRole'>,
  user: { userId: string; roles: readonly string[] },
): string | null {
  if (state !== 'pending') return 'repayments:refused.decided'
  if (launchById === user.userId) return 'repayments:refused.ownReduction'
  return levelOf(user.roles[0] ?? null).level > levelOf(launchRole).level
    ? null
    : 'repayments:refused.level'
}

/** i18n key why this user cannot decide a proof, or null. */
export function proofRefusal(
  { state, submitById, duplicate }: Pick<ProofRow, 'state' | 'submitById' | 'duplicate'>,
  userId: string,
  accepts: boolean,
): string | null {
  if (state !== 'pending') return 'repayments:refused.decided'
  if (submitById === userId) return 'repayments:refused.ownProof'
  return accepts && duplicate ? 'repayments:proof.used' : null
}

/**
 * i18n key why an order in this status accepts no proof, or null. A proof is accepted while another
 * payment is in progress.
 */
export function sendProofRefusal(status: number): string | null {
  return status === 43 || TAKES_PAYMENTS.has(status) ? null : 'repayments:refused.nothingDue'
}

/** Running, or written off with the claim kept. */
const TAKES_PAYMENTS: ReadonlySet<number> = new Set([30, 50, 90, 110])
