/**
 * Keeps the claims of this person alive: a heartbeat for each every 30 s, only from a visible tab, with the time of his last
 * input in any tab (domain.md 2.7). Of several visible tabs the one that has the lock beats; the others hear the answers over
 * a channel. It runs from the first screen that holds claims to the end of the session, so that reading elsewhere loses none.
 */
import { CallError } from '#client/session/call-error.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { isInterrupted } from '#client/session/interruption.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { onLine } from './line.ts'

export type LeaseNews =
  | { type: 'RENEWED'; id: string; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; id: string; token: number; holderName: string | null }

/** What a row or an event says of a claim; a field that is not given is not said. */
export interface LeaseFacts {
  id: string
  version: number
  holderId?: string | null
  token?: number
  /** Whether its state still needs the heartbeat. */
  isLeased?: boolean
  leaseUntil?: string | null
}

export interface LeaseKind {
  /** Names the lock and the channel between tabs. */
  name: string
  renew: (id: string, token: number, lastInputTime: string) => Promise<{ leaseUntil: string }>
  /** The claims he holds when the keeper starts. */
  held: () => Promise<readonly LeaseFacts[]>
  factsOf: (event: LiveEvent) => LeaseFacts | null
  /** Problems that say that the claim is gone. */
  lostBy: readonly string[]
}

export interface LeaseKeeper {
  /** Starts once; a second call for the same person does nothing. */
  start: (userId: string) => void
  /** Rows as the server has just told them: those he holds are kept from now on, at once when little time is left. */
  note: (rows: readonly LeaseFacts[]) => void
  /** Hears every renewal and refusal, also those of other tabs. */
  on: (listener: (news: LeaseNews) => void) => () => void
}

const BEAT_MS = 30_000
/** Found after a reload with less than this left, a claim cannot wait for the next beat. */
const URGENT_MS = 75_000
/** Other tabs are told of input at most this often. */
const TELL_INPUT_MS = 5_000
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'pointermove'] as const

export function createLeaseKeeper(kind: LeaseKind): LeaseKeeper {
  const held = new Map<string, { token: number; version: number }>()
  const listeners = new Set<(news: LeaseNews) => void>()
  let running: { userId: string; stop: () => void } | null = null
  let inputAt = Date.now()
  /** Set in the tab that beats. */
  let beatNow: (() => void) | null = null

  function tell(news: LeaseNews): void {
    if (news.type === 'RENEW_REFUSED' && held.get(news.id)?.token === news.token)
      held.delete(news.id)
    for (const listener of [...listeners]) listener(news)
  }
  function note(rows: readonly LeaseFacts[]): void {
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
  function hear(userId: string, event: LiveEvent): void {
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
    tellAll: (news: LeaseNews) => void,
  ): Promise<void> {
    // The time of the input as the server's clock would have read it.
    const lastInputTime = new Date(serverNow() - (Date.now() - inputAt)).toISOString()
    try {
      const { leaseUntil } = await kind.renew(id, token, lastInputTime)
      tellAll({ type: 'RENEWED', id, token, leaseUntil })
    } catch (error) {
      // No answer is no refusal: the next beat may come through.
      if (
        !(error instanceof CallError) ||
        error.kind !== 'refused' ||
        !error.problem ||
        !kind.lostBy.includes(error.problem.id)
      )
        return
      const name = error.problem.params.userName
      tellAll({
        type: 'RENEW_REFUSED',
        id,
        token,
        holderName: typeof name === 'string' ? name : null,
      })
    }
  }
  function beats(tellAll: (news: LeaseNews) => void): () => void {
    const beat = () => {
      if (!isInterrupted()) for (const [id, { token }] of held) void renew(id, token, tellAll)
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
      ({ data }: MessageEvent<{ inputAt?: number; news?: LeaseNews }>) => {
        if (data.inputAt) inputAt = Math.max(inputAt, data.inputAt)
        if (data.news) tell(data.news)
      },
    )
    let toldAt = 0
    const onInput = () => {
      inputAt = Date.now()
      if (inputAt - toldAt < TELL_INPUT_MS) return
      toldAt = inputAt
      channel?.postMessage({ inputAt })
    }
    for (const input of INPUTS)
      window.addEventListener(input, onInput, { passive: true, capture: true })
    const offLine = onLine({ events: (events) => events.forEach((event) => hear(userId, event)) })
    const stopBeating = beats((news) => {
      tell(news)
      channel?.postMessage({ news })
    })
    // who signs in again over his page still holds what he held, or is told otherwise by the next beat
    const offEnd = onSessionEnd(() => isInterrupted() || running?.stop())
    running = {
      userId,
      stop: () => {
        running = null
        held.clear()
        for (const input of INPUTS) window.removeEventListener(input, onInput, { capture: true })
        stopBeating()
        offLine()
        offEnd()
        channel?.close()
      },
    }
    void kind.held().then(note, () => {})
  }

  return {
    start,
    note,
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Runs while this tab is visible and has the lock; without locks (plain http) every visible tab runs, which does no harm. */
function whileVisible(name: string, run: () => () => void): () => void {
  let end: (() => void) | null = null
  let letGo: (() => void) | null = null
  const stop = () => {
    end?.()
    end = null
    letGo?.()
    letGo = null
  }
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return stop()
    if (!('locks' in navigator)) {
      end ??= run()
      return
    }
    if (letGo) return
    const waiting = new AbortController()
    letGo = () => waiting.abort()
    navigator.locks
      .request(
        name,
        { signal: waiting.signal },
        () =>
          new Promise<void>((release) => {
            letGo = release
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
