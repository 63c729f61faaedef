/**
 * The desk and its runs, kept current by live events, with a line for each event since the desk was
 * opened.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { allocationDesk, listRuns } from '#shared/collection/allocation-api.ts'
import {
  ALLOCATION_RUN_CHANGED,
  CASE_ALLOCATED,
  CASES_ALLOCATED,
} from '#shared/collection/collection-live.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import type { Desk } from './allocation-tree.ts'

export type Run = DataOf<typeof listRuns>['rows'][number]

export interface FeedLine {
  id: string
  time: string
  text: string
}

interface NewsLine extends FeedLine {
  /** Who got the cases, named before the text. */
  to?: string
  /** The run and its state: its newest progress takes the place of the one before. */
  run?: string
}

const FEED_LINES = 50
const EVENTS = [
  'allocation.run.changed',
  'cases.allocated',
  'case.allocated',
  'case.recalled',
  'case.created',
  'collector.changed',
  'agency.changed',
  'schedule.changed',
  'stage.changed',
] as const

export interface DeskNews {
  desk: UseQueryResult<Desk>
  runs: readonly Run[]
  /** The current run. */
  running: Run | null
  /** Newest first. */
  feed: readonly FeedLine[]
  readAgain: () => void
}

export function useDeskNews(mayRun: boolean): DeskNews {
  const t = useText('collection')
  const desk = useQuery({ ...queryOf(allocationDesk, {}, { quiet: true }), staleTime: 0 })
  const { data, refetch } = useQuery({
    ...queryOf(listRuns, { pageSize: 10 }, { quiet: true }),
    enabled: mayRun,
    staleTime: 0,
  })
  const [feed, setFeed] = useState<readonly NewsLine[]>([])
  const readAgain = useThrottled(
    useCallback(() => {
      void desk.refetch()
      void refetch()
    }, [desk, refetch]),
  )
  const nameOf = (userId: string | null) =>
    userId === null
      ? t('alloc.pool')
      : (desk.data?.lines.find((line) => line.collectorId === userId)?.collectorName ?? userId)
  useLive(EVENTS, (events) => {
    readAgain()
    const lines = events.flatMap((event): NewsLine[] => {
      if (event.type === CASES_ALLOCATED.type) {
        const { to, receivers } = event.data as DataOfEvent<typeof CASES_ALLOCATED>
        // the same cases come once more, for their unit
        if (to !== null) return []
        return receivers.map(({ userId, count }) => ({
          id: `${event.seq} ${userId}`,
          time: event.time,
          to: userId,
          text: `+${count}`,
        }))
      }
      if (event.type === CASE_ALLOCATED.type) {
        const { caseId, to, toName, groupName, agencyName, stageId } = event.data as DataOfEvent<
          typeof CASE_ALLOCATED
        >
        return [
          {
            id: String(event.seq),
            time: event.time,
            text: `${toName ?? groupName ?? agencyName ?? nameOf(to)} +1 (${stageId}) ${caseId}`,
          },
        ]
      }
      if (event.type === ALLOCATION_RUN_CHANGED.type) {
        const { runId, state, done, total } = event.data as DataOfEvent<
          typeof ALLOCATION_RUN_CHANGED
        >
        return [
          {
            id: String(event.seq),
            time: event.time,
            run: `${runId} ${state}`,
            text: t('alloc.feedRun', { runId, state: t(`runState.${state}`), done, total }),
          },
        ]
      }
      return []
    })
    if (lines.length > 0)
      setFeed((now) => withoutOlderProgress([...lines.toReversed(), ...now]).slice(0, FEED_LINES))
  })
  const runs = data?.rows ?? []
  return {
    desk,
    runs,
    running: runs.find((run) => run.state === 'running' || run.state === 'paused') ?? null,
    // people are named when they are shown: an event may come before the desk was read
    feed: feed.map(({ to, ...line }) =>
      to === undefined ? line : { ...line, text: `${nameOf(to)} ${line.text}` },
    ),
    readAgain,
  }
}

/** @param lines newest first */
function withoutOlderProgress(lines: readonly NewsLine[]): NewsLine[] {
  return lines.filter(
    ({ run }, at) => run === undefined || lines.findIndex((one) => one.run === run) === at,
  )
}
