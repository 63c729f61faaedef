/** What happened in the days of a report, as marks of its chart. Pure. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import type { ChartMark } from '#client/ui/chart/chart-types.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { grainStart } from '#shared/kernel/grain.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { Dimension, ReportChange } from './report-types.ts'

/**
 * Only along time: a report by product or reviewer has no place for them.
 * @param words key of the texts of kinds
 * @param points keys of the groups, as they are along the chart
 */
export function changeMarks(
  changes: readonly ReportChange[],
  words: string,
  by: Pick<Dimension<never>, 'isDay' | 'grain'>,
  points: readonly string[],
  { t, language }: Pick<ListContext, 't' | 'language'>,
): ChartMark[] {
  if (by.isDay !== true && by.grain === undefined) return []
  return changes.flatMap(({ at, kind, what, by: who }) => {
    const day = istDay(at)
    const point = points.indexOf(by.grain === undefined ? day : grainStart(day, by.grain))
    if (point === -1) return []
    const label = t('chart:report.change', {
      kind: t(`${words}.${kind}`),
      what,
      who: actorLabel(who),
      time: formatIst(at, 'dayTime', language),
    })
    return [{ point, label, isChange: true }]
  })
}
