import { max, scaleLinear } from 'd3'
import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'

/** Cases by stage: count above the bar, name below. A stage with cases never looks empty. */
export function StageBars({ stages }: { stages: BoardFigures['stageTable'] }) {
  const t = useText('wall')
  const height = scaleLinear([0, Math.max(1, max(stages, (stage) => stage.cases) ?? 1)], [0, 100])
  return (
    <ol className="bars" aria-label={t('tile.stages')}>
      {stages.map(({ stageId, cases }) => (
        <li key={stageId}>
          <div className="bar-space">
            <span className="bar-count">{formatCount(cases)}</span>
            <span
              className={`bar stage-${stageId}`}
              style={{ height: `${cases === 0 ? 0 : Math.max(3, height(cases))}%` }}
            />
          </div>
          <b>{stageId}</b>
        </li>
      ))}
    </ol>
  )
}
