import { useLanguage, useText } from '#client/base/use-text.ts'
import { formatCount, formatIst } from '#client/ui/value/ist-format.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { isBeforeDay, keptLevel, recoveredLevel, waitLevel } from '../tile-level.ts'
import { StageBars } from './StageBars.tsx'
import { Tile } from './Tile.tsx'
import { waited } from '../../waited.ts'
import { wholePercent } from '#client/ui/value/value-text.ts'

/** Money, promises and cases that wait for a collector; below them the cases by stage. */
export function TodayScene({ figures, now }: { figures: BoardFigures; now: number }) {
  const t = useText('wall')
  const language = useLanguage()
  const { tiles, thresholds, yesterday } = figures
  // before the first call the figures of the day before are shown with their date
  const early = isBeforeDay(now) && tiles.recoveredToday === 0
  const share =
    tiles.target === null || tiles.target === 0
      ? null
      : Math.floor((tiles.recoveredToday * 10_000) / tiles.target)
  return (
    <>
      <div className="tiles">
        {early ? (
          <Tile
            wide
            label={t('tile.collectedOn', { day: formatIst(yesterday.day, 'day', language) })}
            value={formatPaiseShort(yesterday.recovered)}
            sub={t('tile.dayClose')}
          />
        ) : (
          <Tile
            wide
            label={t('tile.collected')}
            value={formatPaiseShort(tiles.recoveredToday)}
            level={recoveredLevel(tiles, now)}
            sub={
              share === null
                ? t('tile.payments', {
                    count: tiles.recoveredCount,
                    shown: formatCount(tiles.recoveredCount),
                  })
                : t('tile.ofTarget', {
                    share: wholePercent(share),
                    target: formatPaiseShort(tiles.target ?? 0),
                  })
            }
          />
        )}
        <Tile
          label={t('tile.kept')}
          value={wholePercent(tiles.ptpKeptRate)}
          level={keptLevel(tiles, thresholds.ptpKept)}
          sub={
            thresholds.ptpKept === null
              ? t('tile.days7')
              : t('tile.limit', { limit: wholePercent(thresholds.ptpKept) })
          }
        />
        <Tile
          label={t('tile.unallocated')}
          value={formatCount(tiles.unallocated)}
          level={waitLevel(tiles.unallocatedOldest, thresholds.unallocatedMinutes, now)}
          sub={
            tiles.unallocated === 0
              ? t('tile.noneWaits')
              : t('tile.oldest', { age: waited(tiles.unallocatedOldest, now, t) })
          }
        />
      </div>
      <StageBars stages={figures.stageTable} />
    </>
  )
}
