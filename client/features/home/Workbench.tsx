/**
 * The workbench of one person: figures, pending work, announcements and jobs. Live events keep the
 * figures current.
 */
import './home.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import {
  type Announcement,
  AnnouncementDialog,
  AnnouncementRows,
  JobRows,
  useAnnouncements,
} from '#client/features/notifications/public.tsx'
import { useStore } from '#client/base/store.ts'
import { type SideItem, sideItems } from '#client/session/side-items.ts'
import { waitingStore } from '#client/live/waiting.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { workbench } from '#shared/home/home-api.ts'
import { listJobs } from '#shared/jobs/jobs-api.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { CARD_EVENTS, cardFigure, todoQuery } from './workbench-figures.ts'

const JOBS_SHOWN = 5

export function Workbench(): ReactNode {
  const { t } = useTranslation('home')
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(queryOf(workbench, {}, { quiet: true }))
  const again = useThrottled(
    () => void queries.invalidateQueries({ queryKey: queryKeyOf(workbench) }),
  )
  useLive(CARD_EVENTS, again)
  return (
    <div className="bench">
      {error ? <ErrorPane error={error} onRetry={() => void refetch()} /> : null}
      <Todos />
      {data !== undefined && data.cards.length > 0 ? (
        <section>
          <h2>{t('desk.figures')}</h2>
          <ul className="bench-cards">
            {data.cards.map((card) => (
              <li key={card.key}>
                <Link href={card.target} className="bench-card">
                  <span className="bench-card-name">{t(`card.${card.key}`)}</span>
                  <span className="bench-card-value tabular">{cardFigure(card)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className="bench-side">
        <Announcements />
        <Jobs />
      </div>
    </div>
  )
}

/** Pending work of this person, with links to the screens. */
function Todos(): ReactNode {
  const { t } = useTranslation('home')
  const { menu, user } = useSession()
  const waiting = useStore(waitingStore)
  const pages = sideItems(menu)
    .flatMap(pagesOf)
    .filter(({ name }) => (waiting[name]?.count ?? 0) > 0)
  return pages.length === 0 ? null : (
    <section>
      <h2>{t('desk.todo')}</h2>
      <ul className="bench-todos">
        {pages.map(({ name, path }) => (
          <li key={name}>
            <Link href={`${path}${todoQuery(name, user.userId)}`}>{waiting[name]?.text}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Announcements(): ReactNode {
  const { t } = useTranslation('home')
  const { rows } = useAnnouncements()
  const [reading, setReading] = useState<Announcement | null>(null)
  return (
    <section>
      <h2>{t('desk.announcements')}</h2>
      {rows.length === 0 ? (
        <p className="home-none">{t('desk.noAnnouncements')}</p>
      ) : (
        <AnnouncementRows rows={rows} onOpen={setReading} />
      )}
      {reading === null ? null : (
        <AnnouncementDialog row={reading} more={0} onClose={() => setReading(null)} />
      )}
    </section>
  )
}

/** Hidden for people who never start a job. */
function Jobs(): ReactNode {
  const { t } = useTranslation('home')
  const { data, refetch } = useQuery(queryOf(listJobs, { pageSize: 10 }, { quiet: true }))
  useLive([JOB_CHANGED.type], () => void refetch())
  return data === undefined || data.rows.length === 0 ? null : (
    <section>
      <h2>{t('desk.jobs')}</h2>
      <JobRows rows={data.rows.slice(0, JOBS_SHOWN)} />
    </section>
  )
}

function pagesOf(item: SideItem): SideItem[] {
  return item.children.length === 0 ? [item] : item.children.flatMap(pagesOf)
}
