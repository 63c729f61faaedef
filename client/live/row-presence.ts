/**
 * Who has rows of a list open, for a list that shows it. The tab tells which rows it shows, all at once and seldom; the edge
 * then tells who is at them and when that changes. Unlike `useWatch` it brings no events and shows nobody as being there.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createStore } from '#client/app/store.ts'
import type { PresenceMember, WatchKind } from '#shared/kernel/live.ts'
import { onLine, say } from './line.ts'
import { NOBODY, presenceFrom } from './presence.ts'

/** The edge takes so many. */
const MOST = 100
/** A page that is paged through or narrowed quickly is told once. */
const SETTLE_MS = 300

const lists = new Map<object, readonly string[]>()
const present = createStore<ReadonlyMap<string, readonly PresenceMember[]>>(new Map())
let timer: ReturnType<typeof setTimeout> | null = null
let wired = false

/** @returns who has the row of an id open, by that id */
export function useRowPresence(
  kind: WatchKind,
  ids: readonly string[],
): (id: string) => readonly PresenceMember[] {
  const named = ids
    .map((id) => `${kind}:${id}`)
    .sort()
    .join(',')
  useEffect(() => {
    const list = {}
    lists.set(list, named === '' ? [] : named.split(','))
    tellSoon()
    return () => {
      lists.delete(list)
      tellSoon()
    }
  }, [named])
  const members = useSyncExternalStore(present.subscribe, present.get)
  return useMemo(() => (id: string) => members.get(`${kind}:${id}`) ?? NOBODY, [members, kind])
}

function tellSoon(): void {
  wire()
  timer ??= setTimeout(() => void tell(), SETTLE_MS)
}

async function tell(): Promise<void> {
  timer = null
  const rows = [...new Set([...lists.values()].flat())].slice(0, MOST)
  const answer = await say('rows', { rows })
  if (answer?.code !== 200 || !Array.isArray(answer.data)) return
  present.set(
    new Map(
      (answer.data as unknown[]).flatMap((one) => {
        const heard = presenceFrom(one)
        return heard === null ? [] : [[heard.watch, heard.members] as const]
      }),
    ),
  )
}

function wire(): void {
  if (wired) return
  wired = true
  onLine({
    opened: () => void (lists.size > 0 && tellSoon()),
    presence: (news) => {
      const heard = presenceFrom(news)
      if (heard && [...lists.values()].some((rows) => rows.includes(heard.watch)))
        present.set((all) => new Map(all).set(heard.watch, heard.members))
    },
  })
}
