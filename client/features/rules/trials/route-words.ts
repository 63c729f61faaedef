import { shareOf, percentText } from '#client/ui/value/value-text.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { MachineRoute } from '#shared/rules/trial-sets.ts'

export const ROUTE_TONES = {
  pass: 'good',
  people: 'warn',
  fail: 'bad',
} satisfies Record<MachineRoute, Tone>

/** One part of another, in per cent; a dash of nothing. */
export function shareText(part: number, whole: number): string {
  return percentText(shareOf(part, whole))
}
