/**
 * Age of the figures, from the time of the last message and the clock. A timer would not do: it
 * sleeps with its tab. Pure.
 */
export const AMBER_MS = 15_000
export const RED_MS = 60_000

export type Freshness =
  | { kind: 'live'; seconds: number }
  | { kind: 'amber'; seconds: number }
  | { kind: 'red'; seconds: number }

/** @param receivedAt when the last message came from the server, or its figures were read */
export function freshnessOf(receivedAt: number, now: number): Freshness {
  const age = Math.max(0, now - receivedAt)
  const seconds = Math.floor(age / 1_000)
  return { kind: age > RED_MS ? 'red' : age > AMBER_MS ? 'amber' : 'live', seconds }
}

/** An age in the largest unit that is not 0. */
export function ageParts(seconds: number): {
  unit: 'seconds' | 'minutes' | 'hours'
  count: number
} {
  if (seconds < 60) return { unit: 'seconds', count: seconds }
  return seconds < 3_600
    ? { unit: 'minutes', count: Math.floor(seconds / 60) }
    : { unit: 'hours', count: Math.floor(seconds / 3_600) }
}
