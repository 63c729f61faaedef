import './timeline.css'
import { Icon, type IconName } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from './IstTime.tsx'
import type { Tone } from './StatusTag.tsx'

export interface TimelineItem {
  id: string
  /** ISO instant. */
  at: string
  title: ReactNode
  /** Who did it. */
  actor?: string | null
  detail?: ReactNode
  tone?: Tone
  icon?: IconName
}

/** The events of a record, newest first as given by the caller. */
export function Timeline({
  items,
  label,
}: {
  items: readonly TimelineItem[]
  label: string
}): ReactNode {
  const t = useText('ui')
  if (!items.length) return <Empty reason={t('timeline.empty')} icon="history" />
  return (
    <ol className="timeline" aria-label={label}>
      {items.map((item) => (
        <li key={item.id} className="timeline-item">
          <span className={`timeline-mark tone-${item.tone ?? 'neutral'}`}>
            {item.icon && <Icon icon={item.icon} size={12} />}
          </span>
          <div className="timeline-body">
            <div className="timeline-head">
              <span className="timeline-title">{item.title}</span>
              <span className="timeline-meta">
                {item.actor && <span>{item.actor} · </span>}
                <IstTime value={item.at} />
              </span>
            </div>
            {item.detail && <div className="timeline-detail">{item.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
