/**
 * Times of day (`HH:MM` IST) at which the scheduled allocation runs: the allocation times, and from
 * the first of them on the top-ups for cases that enter during the day.
 */
export function allocationSlots(
  allocationTimes: string,
  topUpMinutes: number,
  topUpUntil: string,
): string[] {
  const times = allocationTimes
    .split(',')
    .map((time) => time.trim())
    .filter((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time))
    .toSorted()
  const first = times[0]
  if (first === undefined) return []
  const slots = new Set(times)
  if (topUpMinutes > 0)
    for (let at = minutesOf(first) + topUpMinutes; at <= minutesOf(topUpUntil); at += topUpMinutes)
      slots.add(
        `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
      )
  return [...slots].toSorted()
}

/** The latest slot that has come; null before the first. */
export function slotAt(slots: readonly string[], clock: string): string | null {
  return slots.findLast((slot) => slot <= clock) ?? null
}

/** The next slot of the day; null after the last. */
export function slotAfter(slots: readonly string[], clock: string): string | null {
  return slots.find((slot) => slot > clock) ?? null
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}
