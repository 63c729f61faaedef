/** The board's figures as charts: cases by stage, and the money of the day hour by hour. Pure. */
import type { ChartData } from '#client/ui/chart/chart-types.ts'
import { istClock, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { hourText } from '#client/ui/value/ist-format.ts'

/** Few pay before; what came in earlier is part of the first hour. */
const FROM_HOUR = 6
const HOURS = 24
const HOUR_MS = 3_600_000

export function stageChart(stages: BoardFigures['stageTable'], label: string): ChartData {
  return {
    points: stages.map(({ stageId }) => ({ key: stageId, label: stageId })),
    series: [{ key: 'cases', label, values: stages.map(({ cases }) => cases) }],
    format: 'count',
  }
}

export interface DayWords {
  recovered: string
  yesterday: string
  /** With the target. */
  target: string
}

/** What had come in by the end of each hour; the running hour is hollow. */
export function dayChart(
  { hours, tiles, asOf }: Pick<BoardFigures, 'hours' | 'tiles' | 'asOf'>,
  words: DayWords,
): ChartData {
  const midnight = istMidnight(istDay(asOf)).getTime()
  const running = Math.floor((new Date(asOf).getTime() - midnight) / HOUR_MS)
  const today = addedUp(hours.today)
  const yesterday = addedUp(hours.yesterday)
  const shown = Array.from({ length: HOURS - FROM_HOUR }, (_, at) => FROM_HOUR + at)
  return {
    points: shown.map((hour) => ({
      key: String(hour),
      label: `${hourText(hour)}–${hour === running ? istClock(asOf) : hourText(hour + 1)}`,
      tick: hourText(hour),
      isHollow: hour === running,
    })),
    series: [
      {
        key: 'recovered',
        label: words.recovered,
        values: shown.map((hour) => (hour > running ? null : (today[hour] ?? today.at(-1) ?? 0))),
        previous: shown.map((hour) => yesterday[hour] ?? null),
      },
    ],
    previousLabel: words.yesterday,
    format: 'money',
    ...(tiles.target === null ? {} : { reference: { value: tiles.target, label: words.target } }),
  }
}

function addedUp(amounts: readonly number[]): number[] {
  let sum = 0
  return amounts.map((amount) => (sum += amount))
}
