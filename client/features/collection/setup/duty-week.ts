/** Weeks of the duty table as data: painting, hours, people on duty per stage. Pure. */
import type { Region } from '@blueprintjs/table'
import { SHIFT_HOURS, type Shift } from '#shared/collection/collection-sets.ts'
import { addDays } from '#shared/kernel/time.ts'

export type Week = readonly Shift[]

/** Monday 0 … Sunday 6 of an IST day. */
export function isoWeekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

export function mondayOf(day: string): string {
  return addDays(day, -isoWeekday(day))
}

/** Hours of a week's shifts. */
export function hoursOf(week: Week): number {
  return week.reduce((sum, shift) => sum + (SHIFT_HOURS[shift]?.hours ?? 0), 0)
}

/**
 * The weeks that change when a selection gets one shift.
 * @param weeks by row
 * @param regions of the table: cells, whole rows, whole columns; the eighth column (hours) is never
 * painted
 */
export function paint(
  weeks: readonly Week[],
  regions: readonly Region[],
  shift: Shift,
): Map<number, Shift[]> {
  const changed = new Map<number, Shift[]>()
  for (const { rows, cols } of regions) {
    const [firstRow, lastRow] = rows ?? [0, weeks.length - 1]
    const [firstDay, lastDay] = cols ?? [0, 6]
    for (let at = firstRow; at <= Math.min(lastRow, weeks.length - 1); at += 1) {
      const week = changed.get(at) ?? [...(weeks[at] as Week)]
      for (let day = firstDay; day <= Math.min(lastDay, 6); day += 1) week[day] = shift
      changed.set(at, week)
    }
  }
  return changed
}

/**
 * People on duty per stage and day.
 * @param isPart of the company: stages that nobody in it works are those of other units
 */
export function dutyFooter(
  people: readonly { stageIds: readonly string[]; days: Week }[],
  stages: readonly string[],
  isPart: boolean,
): { stageId: string; counts: number[] }[] {
  const shown = isPart
    ? stages.filter((stageId) => people.some(({ stageIds }) => stageIds.includes(stageId)))
    : stages
  return shown.map((stageId) => ({
    stageId,
    counts: Array.from(
      { length: 7 },
      (_, day) =>
        people.filter(
          (person) =>
            person.stageIds.includes(stageId) && SHIFT_HOURS[person.days[day] ?? 'off'] !== null,
        ).length,
    ),
  }))
}
