/**
 * An event of manage's feed (CloudEvents 1.0 JSON) as the edge keeps it: whom it is for, and what a
 * client will read.
 */
import type { LiveEvent } from '#shared/kernel/live.ts'

export interface FeedEvent {
  seq: number
  type: string
  subject: string
  audience: readonly string[]
  /** Sockets in the audience must be asked about again: their rights may have changed. */
  recheck: boolean
  reason: string | null
  /** Milliseconds since the epoch, of the commit. */
  at: number
  /** The LiveEvent as JSON: written once, sent to many. No audience, no recheck inside. */
  json: string
}

/**
 * @param cloudEvent parsed `data:` of the feed
 * @throws TypeError when it is not an event of the agreed form
 */
export function readFeedEvent(cloudEvent: unknown): FeedEvent {
  const e = object(cloudEvent)
  const seq = Number(e.seq)
  if (!Number.isSafeInteger(seq) || seq < 0) throw new TypeError('an event without seq')
  const data = object(e.data ?? {})
  const live: LiveEvent = {
    seq,
    id: text(e.id),
    type: text(e.type),
    subject: text(e.subject),
    time: text(e.time),
    actor:
      typeof e.actorid === 'string'
        ? { userId: e.actorid, userName: typeof e.actorname === 'string' ? e.actorname : '' }
        : null,
    ...(typeof e.clientid === 'string' ? { clientId: e.clientid } : {}),
    ...(e.entityversion === undefined || e.entityversion === null
      ? {}
      : { version: Number(e.entityversion) }),
    data,
  }
  return {
    seq,
    type: live.type,
    subject: live.subject,
    audience: rooms(e.audience),
    recheck: e.recheck === true || e.recheck === 'true',
    reason: typeof data.reason === 'string' ? data.reason : null,
    at: Date.parse(live.time),
    json: JSON.stringify(live),
  }
}

/** CloudEvents extensions are simple values, so the rooms may come as JSON text. */
function rooms(value: unknown): string[] {
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
  if (!Array.isArray(list) || list.some((room) => typeof room !== 'string'))
    throw new TypeError('an event without audience')
  return [...new Set(list as string[])]
}

function object(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new TypeError('not an object')
  return value as Record<string, unknown>
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError('an event without id, type, subject or time')
  return value
}
