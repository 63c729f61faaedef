/**
 * Where "now" comes from, so that rules about time can be tested without waiting. Milliseconds
 * since the epoch.
 */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * A clock that stands still until it is moved.
 * @param start milliseconds since the epoch, or an ISO 8601 instant
 */
export function manualClock(start: number | string): Clock & { advance(ms: number): void } {
  let at = typeof start === 'number' ? start : Date.parse(start)
  return {
    now: () => at,
    advance(ms) {
      at += ms
    },
  }
}
