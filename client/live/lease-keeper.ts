/**
 * Renews this user's claims: a heartbeat for each every 30 s, only from a visible tab, with the
 * time of the last input in any tab. Of several visible tabs, the one that has the lock sends the
 * heartbeats; the others receive the results over a BroadcastChannel. The keeper runs from the
 * first screen with claims to the end of the session, so that no claim is lost while the user reads
 * another screen.
 */
import { CallError } from '#client/session/call-error.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { isInterrupted } from '#client/session/interruption.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { subscribeSocket } from './socket.ts'

export type LeaseUpdate =
  | { type: 'RENEWED'; id: string; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; id: string; token: number; holderName: string | null }

/** The claim as in a row or an event; an absent field is unknown. */
export interface LeaseFacts {
  id: string
  version: number
  holderId?: string | null
  token?: number
  /** Whether the claim still needs heartbeats. */
  isLeased?: boolean
  leaseUntil?: string | null
}

export interface LeaseKind {
  /** Names the lock and the channel between tabs. */
  name: string
  renew: (id: string, token: number, lastInputTime: string) => Promise<{ leaseUntil: string }>
  /** The claims the user has when the keeper starts. */
  held: () => Promise<readonly LeaseFacts[]>
  factsOf: (event: LiveEvent) => LeaseFacts | null
  /** Problems that mean that the claim is gone. */
  lostBy: readonly string[]
}

export interface LeaseKeeper {
  /** Starts the keeper; a second call for the same user does nothing. */
  start: (userId: string) => void
  /**
   * Rows as just read from the server: the user's own claims are renewed from now on, immediately
   * when little time is left.
   */
  track: (rows: readonly LeaseFacts[]) => void
  /** Whether the row is known as a claim of the user. */
  holds: (id: string) => boolean
  /** Subscribes to every renewal and refusal, including those of other tabs. */
  on: (listener: (update: LeaseUpdate) => void) => () => void
}

const BEAT_MS = 30_000
/** A claim found with less than this left, as after a reload, is renewed at once. */
const URGENT_MS = 75_000
/** Input is reported to other tabs at most this often. */
const SHARE_INPUT_MS = 5_000
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'pointermove'] as const

export function createLeaseKeeper(kind: LeaseKind): LeaseKeeper {
  const held = new Map<string, { token: number; version: number }>()
  const listeners = new Set<(update: LeaseUpdate) => void>()
  let running: { userId: string; stop: () => void } | null = null
  let inputAt = Date.now()
  /** Set in the tab that sends the heartbeats. */
  let beatNow: (() => void) | null = null

  function notify(update: LeaseUpdate): void {
    if (update.type === 'RENEW_REFUSED' && held.get(update.id)?.token === update.token)
      held.delete(update.id)
    for (const listener of [...listeners]) listener(update)
  }
  function track(rows: readonly LeaseFacts[]): void {
    let isUrgent = false
    for (const { id, version, holderId, token, isLeased, leaseUntil } of rows) {
      const known = held.get(id)
      if (known && known.version > version) continue
      if (holderId === running?.userId && isLeased && token !== undefined) {
        held.set(id, { token, version })
        isUrgent ||=
          known?.token !== token &&
          typeof leaseUntil === 'string' &&
          Date.parse(leaseUntil) - serverNow() < URGENT_MS
      } else held.delete(id)
    }
    if (isUrgent) beatNow?.()
  }
  function applyEvent(userId: string, event: LiveEvent): void {
    const facts = kind.factsOf(event)
    if (!facts) return
    const { id, version, holderId, token, isLeased = true } = facts
    const known = held.get(id)
    if (known && known.version > version) return
    if (holderId === userId && token !== undefined && isLeased) held.set(id, { token, version })
    else if (known && (!isLeased || (token ?? known.token) > known.token)) held.delete(id)
  }
  async function renew(
    id: string,
    token: number,
    publishAll: (update: LeaseUpdate) => void,
  ): Promise<void> {
    // The time of the input by the server's clock.
    const lastInputTime = new Date(serverNow() - (Date.now() - inputAt)).toISOString()
    try {
      const { leaseUntil } = await kind.renew(id, token, lastInputTime)
      publishAll({ type: 'RENEWED', id, token, leaseUntil })
    } catch (error) {
      // A missing answer is no refusal: the next heartbeat may succeed.
      if (
        !(error instanceof CallError) ||
        error.kind !== 'refused' ||
        !error.problem ||
        !kind.lostBy.includes(error.problem.id)
      )
        return
      const name = error.problem.params.userName
      publishAll({
        type: 'RENEW_REFUSED',
        id,
        token,
        holderName: typeof name === 'string' ? name : null,
      })
    }
  }
  function beats(publishAll: (update: LeaseUpdate) => void): () => void {
    const beat = () => {
      if (!isInterrupted()) for (const [id, { token }] of held) void renew(id, token, publishAll)
    }
    return whileVisible(kind.name, () => {
      beatNow = beat
      beat()
      const timer = setInterval(beat, BEAT_MS)
      return () => {
        beatNow = null
        clearInterval(timer)
      }
    })
  }

  function start(userId: string): void {
    if (running?.userId === userId) return
    running?.stop()
    inputAt = Date.now()
    const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(kind.name)
    channel?.addEventListener(
      'message',
      ({ data }: MessageEvent<{ inputAt?: number; update?: LeaseUpdate }>) => {
        if (data.inputAt) inputAt = Math.max(inputAt, data.inputAt)
        if (data.update) notify(data.update)
      },
    )
    let sharedAt = 0
    const onInput = () => {
      inputAt = Date.now()
      if (inputAt - sharedAt < SHARE_INPUT_MS) return
      sharedAt = inputAt
      channel?.postMessage({ inputAt })
    }
    for (const input of INPUTS)
      window.addEventListener(input, onInput, { passive: true, capture: true })
    const unsubscribe = subscribeSocket({
      events: (events) => events.forEach((event) => applyEvent(userId, event)),
    })
    const stopBeating = beats((update) => {
      notify(update)
      channel?.postMessage({ update })
    })
    // A user who signs in again on the same page keeps the claims, unless the next heartbeat is
    // refused.
    const offEnd = onSessionEnd(() => isInterrupted() || running?.stop())
    running = {
      userId,
      stop: () => {
        running = null
        held.clear()
        for (const input of INPUTS) window.removeEventListener(input, onInput, { capture: true })
        stopBeating()
        unsubscribe()
        offEnd()
        channel?.close()
      },
    }
    void kind.held().then(track, () => {})
  }

  return {
    start,
    track,
    holds: (id) => held.has(id),
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Runs while this tab is visible and has the lock. Without the Web Locks API (plain http) every
 * visible tab runs, which is harmless.
 */
function whileVisible(name: string, run: () => () => void): () => void {
  let end: (() => void) | null = null
  let releaseLock: (() => void) | null = null
  const stop = () => {
    end?.()
    end = null
    releaseLock?.()
    releaseLock = null
  }
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return stop()
    if (!('locks' in navigator)) {
      end ??= run()
      return
    }
    if (releaseLock) return
    const waiting = new AbortController()
    releaseLock = () => waiting.abort()
    navigator.locks
      .request(
        name,
        { signal: waiting.signal },
        () =>
          new Promise<void>((release) => {
            releaseLock = release
            end = run()
          }),
      )
      .catch(() => {})
  }
  document.addEventListener('visibilitychange', onVisible)
  onVisible()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    stop()
  }
}
