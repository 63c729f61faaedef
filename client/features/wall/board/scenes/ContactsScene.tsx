import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { DayLine } from './DayLine.tsx'
import { Tile } from './Tile.tsx'
import { wholePercent } from '#client/ui/value/value-text.ts'

/** Calls, contacts and promises; below them the money of the day beside the same day last week. */
export function ContactsScene({ figures, now }: { figures: BoardFigures; now: number }) {
  const t = useText('wall')
  const { tiles } = figures
  return (
    <>
      <div className="tiles">
        <Tile
          label={t('tile.calls')}
          value={formatCount(tiles.calls)}
          sub={t('tile.contacted', { count: tiles.contacted, shown: formatCount(tiles.contacted) })}
        />
        <Tile
          label={t('tile.reached')}
          value={wholePercent(tiles.reachRate)}
          sub={t('tile.ofContacts')}
        />
        <Tile
          label={t('tile.promises')}
          value={formatCount(tiles.ptpToday)}
          sub={formatPaiseShort(tiles.ptpTodayAmount)}
        />
      </div>
      <DayLine hours={figures.hours} now={now} />
    </>
  )
}
