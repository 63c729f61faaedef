/** Tabs with their counts, and the figures of the queue. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { type Segment, Segmented } from '#client/ui/form/Segmented.tsx'
import {
  canSome,
  QUEUE_OF,
  type TicketCounts,
  type TicketMenu,
  type TicketStats,
  type Viewer,
} from '../ticket-types.ts'
import { type ListTab, TABS_OF } from './ticket-filters.ts'

interface TicketTabsProps {
  menu: TicketMenu
  tab: ListTab
  viewer: Viewer
  counts: TicketCounts | undefined
  onTab: (tab: ListTab) => void
}

export function TicketTabs({ menu, tab, viewer, counts, onTab }: TicketTabsProps): ReactNode {
  const t = useText('tickets')
  const holds = canSome(viewer, QUEUE_OF[menu], 'reply')
  const countOf = (one: ListTab) =>
    counts === undefined || (one !== 'queue' && one !== 'mine' && one !== 'handover')
      ? undefined
      : counts[one]
  const segments = TABS_OF[menu]
    .filter((one) => one === tab || one !== 'mine' || holds)
    .map((one): Segment<ListTab> => {
      const count = countOf(one)
      return { value: one, label: t(`tab.${one}`), ...(count === undefined ? {} : { count }) }
    })
  return <Segmented label={t('tab.label')} segments={segments} value={tab} onChange={onTab} />
}

export function QueueFigures({
  counts,
  stats,
}: {
  counts: TicketCounts | undefined
  stats: TicketStats | undefined
}): ReactNode {
  const t = useText('tickets')
  if (counts === undefined || stats === undefined) return null
  return (
    <dl className="ticket-figures tabular">
      <Figure label={t('figure.waiting')} value={counts.waiting} />
      <Figure
        label={t('figure.dueSoon')}
        value={counts.dueSoon}
        tone={counts.dueSoon > 0 ? 'is-warn' : ''}
      />
      <Figure
        label={t('figure.missed')}
        value={counts.missed}
        tone={counts.missed > 0 ? 'is-bad' : ''}
      />
      <Figure
        label={t('figure.takers')}
        value={stats.takers}
        tone={stats.takers === 0 ? 'is-bad' : ''}
      />
    </dl>
  )
}

function Figure({
  label,
  value,
  tone = '',
}: {
  label: string
  value: number
  tone?: string
}): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={tone}>{value}</dd>
    </div>
  )
}
