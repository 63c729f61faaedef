/**
 * What this tab has open, sent to the server, which turns it into rooms. Several components may
 * watch the same object: it is sent once, and again after each reconnect. A room joined late is
 * replayed from before the page was read.
 */
import { useEffect, useSyncExternalStore } from 'react'
import type { PresenceMember, PresenceState, WatchKind } from '#shared/kernel/live.ts'
import { seqBeforeRead, sendMessage, subscribeSocket, syncFrom } from './socket.ts'
import { membersFrom, NOBODY, presenceFrom } from './presence.ts'

interface Watched {
  users: number
  /** How many of these viewers show presence; the others only receive events. */
  viewers: number
  members: readonly PresenceMember[]
  editing: boolean
}

/** Leaving and returning within this time, as on a tab switch, sends no message. */
const LINGER_MS = 1_000

const watched = new Map<string, Watched>()
const listeners = new Set<() => void>()
let wired = false

/** Watches a menu, record, board or job while the component is shown; returns the other viewers. */
export function useWatch(
  kind: WatchKind,
  key: string | null | undefined,
): readonly PresenceMember[] {
  const name = key ? `${kind}:${key}` : ''
  useWatching(name, true)
  return usePresence(name)
}

/** Receives events of a record without showing presence, as a list does for its rows. */
export function useSilentWatch(kind: WatchKind, key: string): void {
  useWatching(`${kind}:${key}`, false)
}

function useWatching(name: string, isVisible: boolean): void {
  useEffect(() => {
    if (!name) return
    enter(name, isVisible)
    return () => void setTimeout(() => leave(name, isVisible), LINGER_MS)
  }, [name, isVisible])
}

/** The viewers of `kind:key`, as far as this tab watches it too. */
export function usePresence(name: string): readonly PresenceMember[] {
  return useSyncExternalStore(subscribe, () => watched.get(name)?.members ?? NOBODY)
}

/** Shows the others that this tab is editing the record, until changed. */
export function setEditing(kind: WatchKind, key: string, editing: boolean): void {
  const name = `${kind}:${key}`
  const entry = watched.get(name)
  if (!entry || entry.editing === editing) return
  entry.editing = editing
  void sendMessage('presence:set', { state: ownState(), watch: name, editing })
}

function enter(name: string, isVisible: boolean): void {
  wire()
  const entry = watched.get(name)
  if (entry) {
    entry.users += 1
    entry.viewers += isVisible ? 1 : 0
    if (isVisible && entry.viewers === 1) void join(name)
    return
  }
  watched.set(name, { users: 1, viewers: isVisible ? 1 : 0, members: NOBODY, editing: false })
  const before = seqBeforeRead()
  void join(name).then((joined) => joined && syncFrom(before))
}

function leave(name: string, wasVisible: boolean): void {
  const entry = watched.get(name)
  if (!entry) return
  entry.users -= 1
  entry.viewers -= wasVisible ? 1 : 0
  if (entry.users === 0) {
    watched.delete(name)
    void sendMessage('unwatch', split(name))
  } else if (wasVisible && entry.viewers === 0) {
    // Still watched here but no longer viewed: leave the presence, join again as a silent watcher.
    void sendMessage('unwatch', split(name)).then(() => join(name))
  }
}

async function join(name: string): Promise<boolean> {
  const answer = await sendMessage('watch', {
    ...split(name),
    quiet: watched.get(name)?.viewers === 0,
  })
  const entry = watched.get(name)
  if (answer?.code !== 200 || !entry) return false
  setMembers(name, membersFrom(answer.data))
  if (entry.editing)
    await sendMessage('presence:set', { state: ownState(), watch: name, editing: true })
  return true
}

/** After a reconnect all rooms are joined first, then replayed together. */
async function joinAll(): Promise<void> {
  const before = seqBeforeRead()
  const joined = await Promise.all([...watched.keys()].map(join))
  if (joined.includes(true)) syncFrom(before)
}

function wire(): void {
  if (wired) return
  wired = true
  subscribeSocket({
    opened: () => void joinAll(),
    presence: (message) => {
      const pushed = presenceFrom(message)
      if (pushed) setMembers(pushed.watch, pushed.members)
    },
  })
  document.addEventListener(
    'visibilitychange',
    () => void sendMessage('presence:set', { state: ownState() }),
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
