/**
 * The home page of one person: the next work, the day as a lane, figures beside yesterday's,
 * decisions, news, and the screens behind a fold. Live events keep it current.
 */
import './home.css'
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { groupBy } from '#client/base/group-by.ts'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { awayStore } from '#client/session/activity.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import {
  type Announcement,
  AnnouncementDialog,
  AnnouncementRows,
  JobRows,
  useAnnouncements,
} from '#client/features/notifications/public.tsx'
import { useStore } from '#client/base/store.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { workDay } from '#shared/home/day-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import { listJobs } from '#shared/jobs/jobs-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import { REVIEW_QUEUE_STATS } from '#shared/review/review-live.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { DayFigures } from './DayFigures.tsx'
import { DayLane } from './DayLane.tsx'
import { NextWork } from './NextWork.tsx'
import { SinceLeft } from './SinceLeft.tsx'
import { useScreenTitle } from '#client/session/use-screen-title.ts'
import { CARD_EVENTS, cardFigure, withQueue } from './workbench-figures.ts'

const JOBS_SHOWN = 5
const LATEST_JOBS = { pageSize: 10 }
/** Times pass without an event. */
const DAY_AGAIN_MS = 60_000

/** @param decisions the requests this person decides here; null without any */
export function Workbench({ decisions }: { decisions: ReactNode }): ReactNode {
  const t = useText('home')
  const titleOf = useScreenTitle()
  const queries = useQueryClient()
  const since = useStore(awayStore)
  const input = since === null ? {} : { since }
  const day = useQuery({
    ...queryOf(workDay, input, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: DAY_AGAIN_MS,
  })
  const cards = useQuery(queryOf(workbench, {}, { quiet: true }))
  // asked for with the others, although it is below them
  const jobs = useQuery(queryOf(listJobs, LATEST_JOBS, { quiet: true }))
  const isBlank = day.isPending || cards.isPending
  const reread = () =>
    void Promise.all(
      [workbench, workDay].map((endpoint) =>
        queries.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
      ),
    )
  const soon = useThrottled(reread)
  useLive(CARD_EVENTS, soon)
  useLive([REVIEW_QUEUE_STATS.type], (events) => {
    const stats = events.at(-1)?.data as DataOfEvent<typeof REVIEW_QUEUE_STATS> | undefined
    const next = day.data && stats && withQueue(day.data, stats.waiting)
    if (next) queries.setQueryData(queryKeyOf(workDay, input), next)
    // the answer of a read under way may be older
    if (!next || day.isFetching) soon()
  })
  // shown at once: a part that comes later would push away what somebody is about to press
  if (isBlank)
    return (
      <div className="bench" role="status" aria-busy="true" aria-label={t('ui:grid.loading')}>
        <div className="bench-blank is-step bp6-skeleton" />
        <div className="bench-blank bp6-skeleton" />
        <div className="bench-blank bp6-skeleton" />
      </div>
    )
  const error = day.error ?? cards.error
  const figures = day.data?.figures ?? []
  const others = (cards.data?.cards ?? []).filter(
    (card) => !figures.some(({ key }) => key === card.key),
  )
  return (
    <div className="bench">
      {error ? <ErrorPane error={error} onRetry={reread} /> : null}
      {day.data === undefined ? null : (
        <>
          <NextWork steps={day.data.next} onDone={reread} />
          <DayLane lane={day.data.lane} />
          {figures.length === 0 ? null : <DayFigures figures={figures} />}
        </>
      )}
      {others.length === 0 ? null : (
        <section>
          <h2>{t('desk.now')}</h2>
          <ul className="bench-cards">
            {/* figures that a person has in several lists stand together */}
            {[...groupBy(others, ({ key }) => key)].map(([key, cards]) => (
              <li key={key} className={cards.length > 1 ? 'bench-parts' : undefined}>
                {cards.length > 1 && <span className="bench-card-name">{t(`card.${key}`)}</span>}
                {cards.map((card) => (
                  <Link key={card.target} href={card.target} className="bench-card">
                    <span className="bench-card-name">
                      {titleOf(card.part) ?? t(`card.${key}`)}
                    </span>
                    <span className="bench-card-value tabular">{cardFigure(card, t)}</span>
                  </Link>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      {decisions}
      <div className="bench-side">
        {day.data?.since ? <SinceLeft since={day.data.since} /> : null}
        <Announcements />
        <Jobs jobs={jobs} />
      </div>
    </div>
  )
}

function Announcements(): ReactNode {
  const t = useText('home')
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
function Jobs({
  jobs: { data, refetch },
}: {
  jobs: UseQueryResult<DataOf<typeof listJobs>>
}): ReactNode {
  const t = useText('home')
  useLive([JOB_CHANGED.type], () => void refetch())
  return data === undefined || data.rows.length === 0 ? null : (
    <section>
      <h2>{t('desk.jobs')}</h2>
      <JobRows rows={data.rows.slice(0, JOBS_SHOWN)} />
    </section>
  )
}
