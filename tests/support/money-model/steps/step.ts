/** Random steps, before anything is known of the borrowers. */
import type { Who } from '../actions.ts'

export const KINDS = [
  'apply',
  'judge',
  'review',
  'dispatch',
  'payout',
  'cancel',
  'redisburse',
  'cancelDisbursement',
  'batchWriteOff',
  'pay',
  'tell',
  'book',
  'confirm',
  'launch',
  'decide',
  'revoke',
  'withdraw',
  'grant',
  'revokeCoupon',
  'writeOff',
  'reverse',
  'cure',
  'contradict',
  'contradictPayout',
  'keep',
  'resolve',
  'returnStray',
  'decideRequest',
  'day',
] as const
export type Kind = (typeof KINDS)[number]

/** What fast-check generates; the resulting action depends on the state of the borrowers. */
export interface Step {
  kind: Kind
  borrower: number
  who: Who
  /** 0 to 999: which of several, how much of a whole. */
  dice: number
  /** Days back, or ahead. */
  days: number
  /** The common one of two, mostly. */
  isUsual: boolean
}

/** A part in a thousand. */
export function partOf(amount: number, dice: number): number {
  return Math.floor((amount * dice) / 1_000)
}
