import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { istClock } from '#shared/kernel/time.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import type { WallProfile } from '#shared/wall/wall-sets.ts'
import { countLevel, waitLevel } from '../tile-level.ts'
import { Tile } from './Tile.tsx'
import { waited } from '../../waited.ts'

const MOST: Record<WallProfile, number> = { near: 7, mid: 5, far: 1 }

/**
 * What waits: reviews, tickets and failed disbursements of the company, or a unit's own queues;
 * below them the current run and the latest events.
 */
export function QueuesScene({
  figures,
  now,
  profile,
}: {
  figures: BoardFigures
  now: number
  profile: WallProfile
}) {
  const t = useText('wall')
  const { queues, work, thresholds, run, feed } = figures
  return (
    <>
      <div className="tiles">
        {queues ? (
          <>
            <Tile
              label={t('tile.reviews')}
              value={formatCount(queues.reviewWaiting)}
              level={waitLevel(queues.reviewOldestTime, thresholds.reviewMinutes, now)}
              sub={
                queues.reviewWaiting === 0
                  ? t('tile.noneWaits')
                  : t('tile.oldest', { age: waited(queues.reviewOldestTime, now, t) })
              }
            />
            <Tile label={t('tile.tickets')} value={formatCount(queues.ticketsOpen)} />
            <Tile
              label={t('tile.failed')}
              value={formatCount(queues.disburseFailed)}
              level={countLevel(queues.disburseFailed, thresholds.disburseFailed)}
              sub={
                thresholds.disburseFailed === null
                  ? undefined
                  : t('tile.most', { limit: formatCount(thresholds.disburseFailed) })
              }
            />
          </>
        ) : (
          <>
            <Tile label={t('tile.dueNow')} value={formatCount(work.dueNow)} />
            <Tile label={t('tile.notContacted')} value={formatCount(work.notContacted)} />
            <Tile label={t('tile.held')} value={formatCount(work.held)} />
          </>
        )}
      </div>
      {run && run.total > 0 ? (
        <div className="run">
          <span>
            {t(run.state === 'paused' ? 'run.paused' : 'run.running', {
              done: formatCount(run.done),
              total: formatCount(run.total),
            })}
          </span>
          <span className="run-bar" aria-hidden>
            <i
              style={{
                width: `${Math.min(100, (run.done / run.total) * 100)}%`,
              }}
            />
          </span>
        </div>
      ) : null}
      <ol className="feed" aria-label={t('feed.title')}>
        {feed.length === 0 ? <li className="nothing">{t('feed.none')}</li> : null}
        {feed.slice(0, Math.max(1, run ? MOST[profile] - 1 : MOST[profile])).map((line) => (
          <li
            key={`${line.time}${line.kind}${line.amount}${line.collectorName}`}
            className={`is-${line.kind}`}
          >
            <time>{istClock(line.time)}</time>
            <b>{line.stageId ?? ''}</b>
            <span>
              {line.kind === 'paid'
                ? t('feed.paid', { amount: formatPaiseShort(line.amount) })
                : t('feed.allocated', { count: line.count, shown: formatCount(line.count) })}
            </span>
            <span className="feed-who">{line.collectorName ?? ''}</span>
          </li>
        ))}
      </ol>
    </>
  )
}
