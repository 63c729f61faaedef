import { LANE_HOURS } from '#shared/home/day-sets.ts'

/**
 * Where an IST clock time is in the lane, 0 to 1; what is earlier or later is at an edge.
 * @param clock `HH:MM` or `HH:MM:SS`
 */
export function shareOfDay(clock: string): number {
  const [hour, minute] = clock.split(':').map(Number) as [number, number]
  const share = (hour + minute / 60 - LANE_HOURS.from) / (LANE_HOURS.to - LANE_HOURS.from)
  return Math.min(1, Math.max(0, share))
}
