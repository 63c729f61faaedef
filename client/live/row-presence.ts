/**
 * The rows of lists: who has them open, and, for kinds whose viewers are in no room of their scope,
 * their events, too. The tab sends all its visible rows at once and rarely; the edge answers
 * with the members of each row and sends changes. Unlike `useWatch` this does not show the user as
 * present.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createStore } from '#client/base/store.ts'
import type { PresenceMember, WatchKind } from '#shared/kernel/live.ts'
import { seqBeforeRead, sendMessage, subscribeSocket, syncFrom } from './socket.ts'
import { NOBODY, presenceFrom } from './presence.ts'

/** Most rows the edge accepts. */
const MOST = 100
/** While the user pages or filters quickly only the last page is sent. */
const SETTLE_MS = 300

const lists = new Map<object, readonly string[]>()
/** Lists whose rows are watched for events. */
const watchedLists = new Set<object>()
const present = createStore<ReadonlyMap<string, readonly PresenceMember[]>>(new Map())
let timer: ReturnType<typeof setTimeout> | null = null
let wired = false

/** @returns the members of each row, by id */
export function useRowPresence(
  kind: WatchKind,
  ids: readonly string[],
): (id: string) => readonly PresenceMember[] {
  useRows(kind, ids, false)
  const members = useSyncExternalStore(present.subscribe, present.get)
  return useMemo(() => (id: string) => members.get(`${kind}:${id}`) ?? NOBODY, [members, kind])
}

/** Receives the events of each row that the user may see. */
export function useRowEvents(kind: WatchKind, ids: readonly string[]): void {
  useRows(kind, ids, true)
}

function useRows(kind: WatchKind, ids: readonly string[], watches: boolean): void {
  const named = ids
    .map((id) => `${kind}:${id}`)
    .toSorted()
    .join(',')
  useEffect(() => {
    const list = {}
    lists.set(list, named === '' ? [] : named.split(','))
    if (watches) watchedLists.add(list)
    publishSoon()
    return () => {
      lists.delete(list)
      watchedLists.delete(list)
      publishSoon()
    }
  }, [named, watches])
}

function publishSoon(): void {
  wire()
  timer ??= setTimeout(() => void send(), SETTLE_MS)
}

async function send(): Promise<void> {
  timer = null
  const rows = [...new Set([...lists.values()].flat())].slice(0, MOST)
  const before = seqBeforeRead()
  const answer = await sendMessage('rows', { rows })
  if (answer?.code !== 200 || !Array.isArray(answer.data)) return
  if (watchedLists.size > 0) syncFrom(before)
  present.set(
    new Map(
      (answer.data as unknown[]).flatMap((one) => {
        const pushed = presenceFrom(one)
        return pushed === null ? [] : [[pushed.watch, pushed.members] as const]
      }),
    ),
  )
}

function wire(): void {
  if (wired) return
  wired = true
  subscribeSocket({
    opened: () => void (lists.size > 0 && publishSoon()),
    presence: (message) => {
      const pushed = presenceFrom(message)
      if (pushed && [...lists.values()].some((rows) => rows.includes(pushed.watch)))
        present.set((all) => new Map(all).set(pushed.watch, pushed.members))
    },
  })
}
