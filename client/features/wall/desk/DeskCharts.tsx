import { type ReactNode, useMemo } from 'react'
import { useText } from '#client/base/use-text.ts'
import { Chart } from '#client/ui/chart/Chart.tsx'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { dayChart, stageChart } from './desk-charts.ts'

const HEIGHT = 190

/** Cases by stage, and the money of the day against its target and yesterday. */
export function DeskCharts({ figures }: { figures: BoardFigures }): ReactNode {
  const t = useText('wall')
  const { tiles } = figures
  const stages = useMemo(() => stageChart(figures.stageTable, t('desk.cases')), [figures, t])
  const day = useMemo(
    () =>
      dayChart(figures, {
        recovered: t('desk.recovered'),
        yesterday: t('desk.yesterday'),
        target: t('desk.targetOf', { amount: formatPaiseShort(tiles.target ?? 0) }),
      }),
    [figures, tiles.target, t],
  )
  return (
    <div className="desk-charts">
      <Chart kind="bar" title={t('tile.stages')} data={stages} height={HEIGHT} />
      <Chart kind="area" title={t('desk.throughDay')} data={day} height={HEIGHT} />
    </div>
  )
}
