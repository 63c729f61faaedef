/** Labels and colours of review codes. */
import type { Text } from '#client/base/use-text.ts'
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import type { Viewer } from './review-types.ts'

const STATE_TONES: Record<string, Tone> = {
  initial: 'neutral',
  unclaimed: 'info',
  toAudit: 'warn',
  underReview: 'warn',
  manualCheck: 'warn',
  dataModifiable: 'neutral',
  audited: 'info',
  passed: 'good',
  failed: 'bad',
  abnormal: 'bad',
}
const MACHINE_TONES: Record<string, Tone> = {
  passed: 'good',
  undecided: 'warn',
  failed: 'bad',
  limitFailed: 'bad',
  error: 'bad',
}
const RESULT_TONES: Record<string, Tone> = { passed: 'good', failed: 'bad' }
const QUALITY_TONES: Record<string, Tone> = {
  notChecked: 'neutral',
  checked: 'info',
  pass: 'good',
  fail: 'bad',
}
const TELE_TONES: Record<string, Tone> = {
  notExecuted: 'neutral',
  executing: 'info',
  connected: 'good',
  notConnected: 'warn',
}
const HANDOVER_TONES: Record<string, Tone> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'neutral',
}

export const stateTone = toneOf(STATE_TONES)
export const machineTone = toneOf(MACHINE_TONES)
export const resultTone = toneOf(RESULT_TONES)
export const qualityTone = toneOf(QUALITY_TONES)
export const teleTone = toneOf(TELE_TONES)
export const handoverTone = toneOf(HANDOVER_TONES)

/** The label of a code from a closed set. */
export function word(set: string): (code: string | number, tools: { t: Text }) => string {
  return (code, { t }) => t(`review:${set}.${code}`, { defaultValue: String(code) })
}

/** Which reviews a session sees. */
export function seesOf(scope: string, codes: readonly string[]): Viewer['sees'] {
  if (scope === 'all') return 'all'
  return codes.includes('review_list:quality') ? 'decided' : 'own'
}
