/** Texts, colours and URLs of instalments and payments. */
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import type { PAY_STATES, PLAN_STATUSES } from '#shared/repayments/payment-sets.ts'
import type { ProofState } from '#shared/repayments/proof-sets.ts'
import type { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import type { WRITE_OFF_STATES, WRITE_OFF_TYPES } from '#shared/repayments/write-off-sets.ts'
import type { RecordRow } from './payment-types.ts'
import type { Text } from '#client/base/use-text.ts'

/** The service fee of an EMI loan was kept at disbursement: what is owed as one is its bounce charges. */
export function feeOf(isEmi: boolean): 'bounceCharge' | 'serviceFee' {
  return isEmi ? 'bounceCharge' : 'serviceFee'
}

const PLAN_TONES: Record<string, Tone> = {
  unpaid: 'neutral',
  processing: 'info',
  partlyPaid: 'info',
  paid: 'good',
  overdue: 'warn',
  writtenOff: 'bad',
  rolledOver: 'neutral',
  dropped: 'neutral',
} satisfies Record<(typeof PLAN_STATUSES)[number], Tone>
const PAY_TONES: Record<string, Tone> = {
  inProgress: 'info',
  success: 'good',
  fail: 'bad',
  reversed: 'bad',
} satisfies Record<(typeof PAY_STATES)[number] | 'reversed', Tone>
const REDUCTION_TONES: Record<string, Tone> = {
  pending: 'warn',
  approved: 'info',
  rejected: 'bad',
  used: 'good',
  lapsed: 'neutral',
} satisfies Record<(typeof REDUCTION_STATES)[number], Tone>
const WRITE_OFF_TONES: Record<string, Tone> = {
  pending: 'warn',
  done: 'good',
  rejected: 'bad',
} satisfies Record<(typeof WRITE_OFF_STATES)[number], Tone>
/** The order was paid, or the account was written off. */
const WRITE_OFF_TYPE_TONES: Record<string, Tone> = {
  full: 'good',
  partial: 'info',
  rollover: 'neutral',
  operational: 'bad',
  batch: 'bad',
} satisfies Record<(typeof WRITE_OFF_TYPES)[number], Tone>
const PROOF_TONES: Record<string, Tone> = {
  pending: 'warn',
  accepted: 'good',
  rejected: 'bad',
} satisfies Record<ProofState, Tone>
const FLAG_TONES: Record<string, Tone> = {
  unknownOrder: 'bad',
  notPayable: 'bad',
  surplus: 'warn',
  recovery: 'info',
}

export const planTone = toneOf(PLAN_TONES)
export const payTone = toneOf(PAY_TONES)
export const reductionTone = toneOf(REDUCTION_TONES)
export const writeOffTone = toneOf(WRITE_OFF_TONES)
export const writeOffTypeTone = toneOf(WRITE_OFF_TYPE_TONES)
export const proofTone = toneOf(PROOF_TONES)
export const flagTone = toneOf(FLAG_TONES)

/** The states of a payment; a reversed payment was received first. */
export function payState({ reversedTime, payState: state }: RecordRow): string {
  return reversedTime === null ? state : 'reversed'
}

/** Why it failed or was reversed; empty for other states. */
export function whyState({ failReason, reverseReason }: RecordRow): string {
  return reverseReason ?? failReason ?? ''
}

/** The text of a code of a closed set; a code without a text is shown as it is. */
export function codeWord(set: string, code: string | number, t: Text): string {
  return t(`repayments:${set}.${code}`, { defaultValue: String(code) })
}

/** URL of the list of payments, filtered to one. */
export function recordPath(recordId: string): string {
  return `/order_management/repay_record?recordId=${encodeURIComponent(recordId)}`
}

/** The same, with the payment open. */
export function openRecordPath(recordId: string): string {
  return `${recordPath(recordId)}&open=${encodeURIComponent(recordId)}`
}

/** URL of the list of payment proofs, filtered to one. */
export function proofPath(proofId: string): string {
  return `/order_management/repay_proof?proofId=${encodeURIComponent(proofId)}`
}
