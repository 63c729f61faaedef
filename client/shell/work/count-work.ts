/**
 * The counts beside the menu entries, a chunk of its own. One call reads all of them; after that
 * only events that concern this user cause another call. The count of the review queue is taken
 * from its event, so a claim causes no call on other reviewers' consoles.
 */
import { QueryObserver } from '@tanstack/react-query'
import { hasText, i18n, translate } from '#client/base/i18n.ts'
import { subscribeSocket } from '#client/live/socket.ts'
import { queryClient, queryKeyOf, queryOf } from '#client/session/query.ts'
import { sessionStore } from '#client/session/session-store.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import {
  CASE_ALLOCATED,
  CASE_ENDED,
  CASE_FOLLOWED,
  CASE_PTP_CHANGED,
  CASE_RECALLED,
  CASE_STOP_CHANGED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import { workbench } from '#shared/home/home-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { DataOfEvent, LiveEvent } from '#shared/kernel/live.ts'
import { REVIEW_QUEUE_STATS } from '#shared/review/review-live.ts'
import { TICKET_ASSIGNED, TICKET_STATE_CHANGED } from '#shared/tickets/tickets-live.ts'
import { waitingStore } from '#client/live/waiting.ts'

type Workbench = DataOf<typeof workbench>

/** Shortest time between two calls caused by events. */
const AGAIN_MS = 3_000
/** Collects events of one step; many consoles receive them at the same time. */
const SOON_MS = 400
/** A next contact becomes due without an event. */
const FLOOR_MS = 5 * 60_000

const NAMES_PEOPLE: readonly string[] = [
  CASE_ALLOCATED.type,
  CASE_RECALLED.type,
  CASES_ALLOCATED.type,
  CASES_RECALLED.type,
  TICKET_ASSIGNED.type,
  TICKET_STATE_CHANGED.type,
]
/** Received by the holder and their superiors; only the holder's count can change. */
const OF_OWN_CASES: readonly string[] = [
  CASE_FOLLOWED.type,
  CASE_PTP_CHANGED.type,
  CASE_ENDED.type,
  CASE_STOP_CHANGED.type,
]

/** @returns stops it */
export function countWork(userId: string): () => void {
  const observer = new QueryObserver<Workbench>(queryClient, {
    ...queryOf(workbench, {}, { quiet: true }),
    refetchInterval: FLOOR_MS,
  })
  let readAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (): void => {
    const todo = observer.getCurrentResult().data?.todo ?? []
    waitingStore.set(
      Object.fromEntries(
        todo.map(({ menu, count }) => [menu, { count, text: wordsOf(menu, count) }]),
      ),
    )
  }
  const read = (): void => {
    timer = undefined
    readAt = Date.now()
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(workbench) })
  }
  const concerns = ({ type, data, actor }: LiveEvent): boolean => {
    if (type === APPROVAL_CHANGED.type) return true
    if (NAMES_PEOPLE.includes(type)) return Object.values(data).includes(userId)
    const state = sessionStore.get()
    return (
      OF_OWN_CASES.includes(type) &&
      (actor?.userId === userId ||
        (state.status === 'ready' && state.session.user.scope.kind === 'own'))
    )
  }
  const offLine = subscribeSocket({
    events(events) {
      const stats = events.findLast(({ type }) => type === REVIEW_QUEUE_STATS.type)
      if (stats)
        queryClient.setQueryData<Workbench>(
          queryKeyOf(workbench, {}),
          (now) =>
            now && withQueue(now, (stats.data as DataOfEvent<typeof REVIEW_QUEUE_STATS>).waiting),
        )
      // the answer of a read under way may be older
      if (events.some(concerns) || (stats && observer.getCurrentResult().isFetching))
        timer ??= setTimeout(
          read,
          Math.max(SOON_MS + Math.random() * SOON_MS, readAt + AGAIN_MS - Date.now()),
        )
    },
  })
  const offAnswers = observer.subscribe(show)
  void i18n.loadNamespaces('home').then(show)
  i18n.on('languageChanged', show)
  return () => {
    clearTimeout(timer)
    offLine()
    offAnswers()
    i18n.off('languageChanged', show)
    waitingStore.set({})
  }
}

/** A user who may not claim has no queue count, and its event adds none. */
function withQueue(now: Workbench, waiting: number): Workbench {
  return {
    ...now,
    todo: now.todo.map((row) => (row.menu === 'review_list' ? { ...row, count: waiting } : row)),
    cards: now.cards.map((card) => (card.key === 'claimable' ? { ...card, value: waiting } : card)),
  }
}

function wordsOf(menu: string, count: number): string {
  const key = `home:todo.${menu}`
  return hasText(key, { count })
    ? translate(key, { count, n: formatCount(count) })
    : formatCount(count)
}
