/**
 * Keeps the claims of this person alive: a heartbeat for each every 30 s, only from a visible tab, with the time of his last
 * input in any tab (domain.md 2.7). Of several visible tabs the one that has the lock beats; the others hear the answers over
 * a channel. It runs from the first review screen to the end of the session, so that reading an order does not lose a claim.
 */
import { onLine } from '#client/live/line.ts'
import { call } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import { newsOfEvent } from '../desk/desk-news.ts'
import { listReviews, renewReview } from '#shared/review/review-api.ts'
import type { ReviewRow } from '../review-types.ts'

export type LeaseNews =
  | { type: 'RENEWED'; reviewId: string; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; reviewId: string; token: number; holderName: string | null }

const BEAT_MS = 30_000
/** Found after a reload with less than this left, a claim cannot wait for the next beat. */
const URGENT_MS = 75_000
const CHANNEL = 'review-leases'
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'pointermove'] as const

const held = new Map<string, { token: number; version: number }>()
const listeners = new Set<(news: LeaseNews) => void>()
let keeper: { userId: string; stop: () => void } | null = null
let inputAt = Date.now()
/** Set in the tab that beats. */
let beatNow: (() => void) | null = null

/** Hears every renewal and refusal, also those of other tabs. */
export function onLease(listener: (news: LeaseNews) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Rows as the server has just told them: those he holds are kept from now on, at once when little time is left. */
export function noteHeld(rows: readonly Pick<ReviewRow, 'reviewId' | 'reviewerId' | 'token' | 'state' | 'version' | 'leaseUntil'>[]): void {
  let isUrgent = false
  for (const row of rows) {
    const known = held.get(row.reviewId)
    if (known && known.version > row.version) continue
    if (row.reviewerId === keeper?.userId && (row.state === 'toAudit' || row.state === 'underReview')) {
      held.set(row.reviewId, { token: row.token, version: row.version })
      isUrgent ||= known?.token !== row.token && row.leaseUntil !== null && Date.parse(row.leaseUntil) - serverNow() < URGENT_MS
    } else held.delete(row.reviewId)
  }
  if (isUrgent) beatNow?.()
}

/** Starts once; a second call for the same person does nothing. */
export function startLeaseKeeper(userId: string): void {
  if (keeper?.userId === userId) return
  keeper?.stop()
  inputAt = Date.now()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  channel?.addEventListener('message', ({ data }: MessageEvent<{ inputAt?: number; news?: LeaseNews }>) => {
    if (data.inputAt) inputAt = Math.max(inputAt, data.inputAt)
    if (data.news) tell(data.news)
  })
  let toldAt = 0
  const onInput = () => {
    inputAt = Date.now()
    if (inputAt - toldAt < 5_000) return
    toldAt = inputAt
    channel?.postMessage({ inputAt })
  }
  for (const kind of INPUTS) window.addEventListener(kind, onInput, { passive: true, capture: true })
  const offLine = onLine({ events: (events) => events.forEach((event) => hear(userId, event)) })
  const stopBeating = beatWhileVisible((news) => {
    tell(news)
    channel?.postMessage({ news })
  })
  const offEnd = onSessionEnd(() => keeper?.stop())
  keeper = {
    userId,
    stop: () => {
      keeper = null
      held.clear()
      for (const kind of INPUTS) window.removeEventListener(kind, onInput, { capture: true })
      stopBeating()
      offLine()
      offEnd()
      channel?.close()
    },
  }
  void call(listReviews, { tab: 'mine', pageSize: 20 }, { quiet: true }).then(({ rows }) => noteHeld(rows), () => {})
}

function hear(userId: string, event: Parameters<typeof newsOfEvent>[0]): void {
  const reviewId = String(event.data.reviewId ?? '')
  if (!reviewId) return
  const news = newsOfEvent(event, { reviewId, orderId: null })
  if (!news) return
  const known = held.get(reviewId)
  if (known && known.version > news.version) return
  const keepsState = news.state === undefined || news.state === 'toAudit' || news.state === 'underReview'
  if (news.holderId === userId && news.token !== undefined && keepsState) held.set(reviewId, { token: news.token, version: news.version })
  else if (known && (!keepsState || (news.token ?? known.token) > known.token)) held.delete(reviewId)
}

/** Beats while this tab is visible and has the lock; without locks (plain http) every visible tab beats, which does no harm. */
function beatWhileVisible(tellAll: (news: LeaseNews) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  let letGo: (() => void) | null = null
  const beat = () => {
    for (const [reviewId, { token }] of held) void renew(reviewId, token, tellAll)
  }
  const start = () => {
    beatNow = beat
    beat()
    timer ??= setInterval(beat, BEAT_MS)
  }
  const stop = () => {
    beatNow = null
    clearInterval(timer)
    timer = undefined
    letGo?.()
    letGo = null
  }
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return stop()
    if (!('locks' in navigator)) return start()
    if (letGo) return
    const waiting = new AbortController()
    letGo = () => waiting.abort()
    navigator.locks.request(CHANNEL, { signal: waiting.signal }, () => new Promise<void>((release) => {
      letGo = release
      start()
    })).catch(() => {})
  }
  document.addEventListener('visibilitychange', onVisible)
  onVisible()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    stop()
  }
}

async function renew(reviewId: string, token: number, tellAll: (news: LeaseNews) => void): Promise<void> {
  // The time of the input as the server's clock would have read it.
  const lastInputTime = new Date(serverNow() - (Date.now() - inputAt)).toISOString()
  try {
    const { leaseUntil } = await call(renewReview, { reviewId, token, lastInputTime }, { quiet: true })
    tellAll({ type: 'RENEWED', reviewId, token, leaseUntil })
  } catch (error) {
    // No answer is no refusal: the next beat may come through.
    if (!(error instanceof CallError) || error.kind !== 'refused') return
    if (error.problem?.id !== 'V-LEASE' && error.problem?.id !== 'G404') return
    if (held.get(reviewId)?.token === token) held.delete(reviewId)
    const name = error.problem.params.userName
    tellAll({ type: 'RENEW_REFUSED', reviewId, token, holderName: typeof name === 'string' ? name : null })
  }
}

function tell(news: LeaseNews): void {
  if (news.type === 'RENEW_REFUSED' && held.get(news.reviewId)?.token === news.token) held.delete(news.reviewId)
  for (const listener of [...listeners]) listener(news)
}
