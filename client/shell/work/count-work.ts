/**
 * The counts beside the menu's entries, a chunk of its own. One call for all of them; then what happens on the floor says when
 * to ask again, and only what concerns this person does. The queue's figure comes with its event: a claim makes no other
 * reviewer's console ask.
 */
import { QueryObserver } from '@tanstack/react-query'
import { i18n } from '#client/app/i18n.ts'
import { onLine } from '#client/live/line.ts'
import { queryClient, queryKeyOf, queryOf } from '#client/session/query.ts'
import { sessionStore } from '#client/session/session-store.ts'
import { formatCount } from '#client/ui/ist-format.ts'
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
import { waitingStore } from './waiting.ts'

type Workbench = DataOf<typeof workbench>

/** Least time between two calls that events bring about. */
const AGAIN_MS = 3_000
/** Events of one step come together, and many consoles hear them at once. */
const SOON_MS = 400
/** A next contact falls due without an event. */
const FLOOR_MS = 5 * 60_000

const NAMES_PEOPLE: readonly string[] = [
  CASE_ALLOCATED.type,
  CASE_RECALLED.type,
  CASES_ALLOCATED.type,
  CASES_RECALLED.type,
  TICKET_ASSIGNED.type,
  TICKET_STATE_CHANGED.type,
]
/** Heard by the holder and by those above him; only the holder's figure can change. */
const OF_OWN_CASES: readonly string[] = [
  CASE_FOLLOWED.type,
  CASE_PTP_CHANGED.type,
  CASE_ENDED.type,
  CASE_STOP_CHANGED.type,
]

/** @returns ends it */
export function countWork(userId: string): () => void {
  const observer = new QueryObserver<Workbench>(queryClient, {
    ...queryOf(workbench, {}, { quiet: true }),
    refetchInterval: FLOOR_MS,
  })
  let askedAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (): void => {
    const todo = observer.getCurrentResult().data?.todo ?? []
    waitingStore.set(
      Object.fromEntries(
        todo.map(({ menu, count }) => [menu, { count, text: wordsOf(menu, count) }]),
      ),
    )
  }
  const ask = (): void => {
    timer = undefined
    askedAt = Date.now()
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
  const offLine = onLine({
    events(events) {
      const stats = events.findLast(({ type }) => type === REVIEW_QUEUE_STATS.type)
      if (stats)
        queryClient.setQueryData<Workbench>(
          queryKeyOf(workbench, {}),
          (now) =>
            now && withQueue(now, (stats.data as DataOfEvent<typeof REVIEW_QUEUE_STATS>).waiting),
        )
      if (events.some(concerns))
        timer ??= setTimeout(
          ask,
          Math.max(SOON_MS + Math.random() * SOON_MS, askedAt + AGAIN_MS - Date.now()),
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

/** Who may not claim has no figure of the queue, and gets none by its event. */
function withQueue(now: Workbench, waiting: number): Workbench {
  return {
    ...now,
    todo: now.todo.map((row) => (row.menu === 'review_list' ? { ...row, count: waiting } : row)),
    cards: now.cards.map((card) => (card.key === 'claimable' ? { ...card, value: waiting } : card)),
  }
}

function wordsOf(menu: string, count: number): string {
  const key = `home:todo.${menu}`
  return i18n.exists(key, { count })
    ? (i18n.t as (key: string, params: object) => string)(key, { count, n: formatCount(count) })
    : formatCount(count)
}
