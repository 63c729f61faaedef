/**
 * What this tab has open, told to the server, which alone turns it into rooms. Several components may watch the same thing:
 * it is told once, and told again after each reconnect. A room joined late is replayed from before the page was read.
 */
import { useEffect, useSyncExternalStore } from 'react'
import type { PresenceMember, PresenceState, WatchKind } from '#shared/kernel/live.ts'
import { cursorAgo, onLine, say } from './line.ts'
import { membersFrom, NOBODY, presenceFrom } from './presence.ts'

interface Watched {
  users: number
  /** Of these, those who look at the record; the others only want to hear of it. */
  lookers: number
  members: readonly PresenceMember[]
  editing: boolean
}

/** Cached answers are up to this old when a page shows them (queryClient's staleTime), with a second to spare. */
const READ_BEFORE_MS = 6_000
/** Leaving and coming back within this time, as a tab switch does, is not worth a message. */
const LINGER_MS = 1_000

const watched = new Map<string, Watched>()
const listeners = new Set<() => void>()
let wired = false

/** Watches a menu, record, board or job while the component is shown; returns who else does. */
export function useWatch(
  kind: WatchKind,
  key: string | null | undefined,
): readonly PresenceMember[] {
  const name = key ? `${kind}:${key}` : ''
  useWatching(name, true)
  return usePresence(name)
}

/** Hears of a record without being seen at it, as a list does of its rows. */
export function useOverhear(kind: WatchKind, key: string): void {
  useWatching(`${kind}:${key}`, false)
}

function useWatching(name: string, looks: boolean): void {
  useEffect(() => {
    if (!name) return
    enter(name, looks)
    return () => void setTimeout(() => leave(name, looks), LINGER_MS)
  }, [name, looks])
}

/** Who watches `kind:key`, as far as this tab watches it too. */
export function usePresence(name: string): readonly PresenceMember[] {
  return useSyncExternalStore(subscribe, () => watched.get(name)?.members ?? NOBODY)
}

/** Tells the others that this tab is changing the record, until told otherwise. */
export function setEditing(kind: WatchKind, key: string, editing: boolean): void {
  const name = `${kind}:${key}`
  const entry = watched.get(name)
  if (!entry || entry.editing === editing) return
  entry.editing = editing
  void say('presence:set', { state: ownState(), watch: name, editing })
}

function enter(name: string, looks: boolean): void {
  wire()
  const entry = watched.get(name)
  if (entry) {
    entry.users += 1
    entry.lookers += looks ? 1 : 0
    if (looks && entry.lookers === 1) void join(name)
    return
  }
  watched.set(name, { users: 1, lookers: looks ? 1 : 0, members: NOBODY, editing: false })
  const before = cursorAgo(READ_BEFORE_MS)
  void join(name).then((joined) => joined && replay(before))
}

function leave(name: string, looked: boolean): void {
  const entry = watched.get(name)
  if (!entry) return
  entry.users -= 1
  entry.lookers -= looked ? 1 : 0
  if (entry.users === 0) {
    watched.delete(name)
    void say('unwatch', split(name))
  } else if (looked && entry.lookers === 0) {
    // still listed here, but nobody looks any more: out of the presence, back as a listener
    void say('unwatch', split(name)).then(() => join(name))
  }
}

async function join(name: string): Promise<boolean> {
  const answer = await say('watch', { ...split(name), quiet: watched.get(name)?.lookers === 0 })
  const entry = watched.get(name)
  if (answer?.code !== 200 || !entry) return false
  setMembers(name, membersFrom(answer.data))
  if (entry.editing) await say('presence:set', { state: ownState(), watch: name, editing: true })
  return true
}

/** After a reconnect all rooms are joined first, then replayed together. */
async function joinAll(): Promise<void> {
  const before = cursorAgo(READ_BEFORE_MS)
  const joined = await Promise.all([...watched.keys()].map(join))
  if (joined.includes(true)) replay(before)
}

function replay(lastSeq: number | null): void {
  if (lastSeq !== null) void say('sync', { lastSeq })
}

function wire(): void {
  if (wired) return
  wired = true
  onLine({
    opened: () => void joinAll(),
    presence: (news) => {
      const heard = presenceFrom(news)
      if (heard) setMembers(heard.watch, heard.members)
    },
  })
  document.addEventListener(
    'visibilitychange',
    () => void say('presence:set', { state: ownState() }),
  )
}

function setMembers(name: string, members: readonly PresenceMember[]): void {
  const entry = watched.get(name)
  if (!entry) return
  entry.members = members
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function ownState(): PresenceState {
  return document.visibilityState === 'visible' ? 'online' : 'away'
}

function split(name: string): { kind: string; key: string } {
  const at = name.indexOf(':')
  return { kind: name.slice(0, at), key: name.slice(at + 1) }
}
