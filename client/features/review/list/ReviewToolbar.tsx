/** Tabs with counts, and the queue figures. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSecond } from '#client/ui/value/clock.ts'
import { waitText } from '#client/ui/value/duration-text.ts'
import { type Segment, Segmented } from '#client/ui/form/Segmented.tsx'
import { REVIEW_TABS } from '#shared/review/review-api.ts'
import {
  can,
  type QueueStats,
  type ReviewCounts,
  type ReviewTab,
  type Viewer,
} from '../review-types.ts'
import { WAIT_BAD_MS, WAIT_WARN_MS } from './review-cells.ts'

export function ReviewToolbar({
  tab,
  viewer,
  counts,
  stats,
  onTab,
}: {
  tab: ReviewTab
  viewer: Viewer
  counts: ReviewCounts | null
  stats: QueueStats | null
  onTab: (tab: ReviewTab) => void
}): ReactNode {
  const t = useText('review')
  const holds = can(viewer, 'claim') || can(viewer, 'takeOver')
  const segments = REVIEW_TABS.filter(
    (one) =>
      one === tab ||
      one === 'all' ||
      one === 'quality' ||
      (viewer.sees !== 'decided' && (one !== 'mine' || holds)),
  ).map((one): Segment<ReviewTab> => ({
    value: one,
    label: t(`tab.${one}`),
    count:
      one === 'all' || counts === null
        ? undefined
        : one === 'mine' && stats && can(viewer, 'claim')
          ? `${counts.mine}/${stats.maxClaimed}`
          : counts[one],
  }))
  return (
    <>
      <Segmented label={t('tab.label')} segments={segments} value={tab} onChange={onTab} />
      {stats && <Figures stats={stats} />}
    </>
  )
}

function Figures({ stats }: { stats: QueueStats }): ReactNode {
  const t = useText('review')
  const second = useSecond()
  const oldest =
    stats.oldestTime === null ? null : Math.max(0, second - Date.parse(stats.oldestTime))
  return (
    <dl className="review-figures tabular">
      <Figure label={t('figure.waiting')} value={stats.waiting} />
      <Figure
        label={t('figure.oldest')}
        value={oldest === null ? '—' : waitText(oldest, t)}
        tone={
          oldest === null || oldest < WAIT_WARN_MS
            ? ''
            : oldest < WAIT_BAD_MS
              ? 'is-warn'
              : 'is-bad'
        }
      />
      <Figure label={t('figure.held')} value={stats.held} />
      <Figure label={t('figure.online')} value={stats.reviewersOnline} />
    </dl>
  )
}

function Figure({
  label,
  value,
  tone = '',
}: {
  label: string
  value: ReactNode
  tone?: string
}): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={tone}>{value}</dd>
    </div>
  )
}
