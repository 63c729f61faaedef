/**
 * When a limit raises an alert, and when the alert ends. Pure: the caller supplies the clock and
 * stores the rows.
 */
import { isInsideIstWindow } from '#shared/kernel/time.ts'
import type { BoardFigures, Thresholds } from './wall-api.ts'
import type { AlertKey, AlertLevel } from './wall-sets.ts'

/** Outside these hours nobody is there to react. */
const WATCHED_FROM = '08:00'
const WATCHED_TO = '20:00'
/** An alert ends after this long in range, so that a figure at its limit does not flicker. */
export const CALM_MS = 120_000
/** A share of fewer promises is not significant. */
const FEW_PROMISES = 10
const MINUTE_MS = 60_000

export interface Breach {
  key: AlertKey
  level: AlertLevel
  /** Minutes, basis points or a number of orders, by key. */
  value: number
}

/** Limits exceeded now. */
export function breachesOf(
  { tiles, queues }: Pick<BoardFigures, 'tiles' | 'queues'>,
  limits: Thresholds,
  now: string,
): Breach[] {
  const found: Breach[] = []
  const above = (key: AlertKey, value: number | null, limit: number | null): void => {
    if (value !== null && limit !== null && value > limit)
      found.push({ key, level: value > 2 * limit ? 'critical' : 'warning', value })
  }
  above('unallocatedAge', minutesSince(tiles.unallocatedOldest, now), limits.unallocatedMinutes)
  if (
    limits.ptpKept !== null &&
    tiles.ptpKeptRate !== null &&
    tiles.ptpDecided >= FEW_PROMISES &&
    tiles.ptpKeptRate < limits.ptpKept
  ) {
    found.push({
      key: 'ptpKept',
      level: tiles.ptpKeptRate < limits.ptpKept / 2 ? 'critical' : 'warning',
      value: tiles.ptpKeptRate,
    })
  }
  above('reviewAge', minutesSince(queues?.reviewOldestTime ?? null, now), limits.reviewMinutes)
  above('disburseFailed', queues?.disburseFailed ?? null, limits.disburseFailed)
  return found
}

export interface StoredAlert {
  key: AlertKey
  level: AlertLevel
  value: number
  /** Since when the figure is back in range; null = it is not. */
  backAt: string | null
}

export type AlertStep =
  | { do: 'raise'; breach: Breach }
  | { do: 'update'; breach: Breach }
  | { do: 'calm'; key: AlertKey }
  | { do: 'end'; key: AlertKey }

/**
 * What to do with the rows. An alert is raised in working hours, keeps its start and its
 * acknowledgement while the limit is exceeded, and ends after two minutes in range.
 */
export function alertSteps(
  stored: readonly StoredAlert[],
  breaches: readonly Breach[],
  now: string,
): AlertStep[] {
  const steps: AlertStep[] = []
  const watched = isInsideIstWindow(now, WATCHED_FROM, WATCHED_TO)
  for (const breach of breaches) {
    const alert = stored.find((one) => one.key === breach.key)
    if (!alert) {
      if (watched) steps.push({ do: 'raise', breach })
    } else if (
      alert.backAt !== null ||
      alert.level !== breach.level ||
      alert.value !== breach.value
    )
      steps.push({ do: 'update', breach })
  }
  for (const alert of stored) {
    if (breaches.some((breach) => breach.key === alert.key)) continue
    if (alert.backAt === null) steps.push({ do: 'calm', key: alert.key })
    else if (Date.parse(now) - Date.parse(alert.backAt) >= CALM_MS)
      steps.push({ do: 'end', key: alert.key })
  }
  return steps
}

/** Whole minutes between two instants; null without the first. */
export function minutesSince(then: string | null, now: string): number | null {
  return then === null
    ? null
    : Math.max(0, Math.floor((Date.parse(now) - Date.parse(then)) / MINUTE_MS))
}
