/**
 * Live events: what a command writes in its transaction and, once committed and numbered by the
 * relay, every entitled client receives. `data` holds ids, codes, amounts and times only, never
 * personal data.
 */
import type { Static, TObject } from 'typebox'

export interface LiveEventKind<Type extends string = string, Data extends TObject = TObject> {
  type: Type
  data: Data
}

/** Declares an event type in `shared/<feature>/<feature>-live.ts`. */
export function liveEvent<const Type extends string, const Data extends TObject>(
  type: Type,
  data: Data,
): LiveEventKind<Type, Data> {
  return { type, data }
}

export type DataOfEvent<K extends LiveEventKind> = Static<K['data']>

/**
 * The envelope that clients receive. `version` is the entity's version after the change; a row with an
 * equal or newer version ignores it.
 */
export interface LiveEvent<Data = Record<string, unknown>> {
  seq: number
  id: string
  type: string
  /** What changed, `kind:id`. */
  subject: string
  time: string
  actor: { userId: string; userName: string } | null
  clientId?: string
  version?: number
  data: Data
}

/** Whether it is an event of the kind, which types its data. */
export function isOf<E extends Pick<LiveEvent, 'type' | 'data'>, K extends LiveEventKind>(
  event: E,
  kind: K,
): event is E & { data: DataOfEvent<K> } {
  return event.type === kind.type
}

/**
 * What travels in one `event` message of the socket. Busy rooms travel as one frame, so a frame may
 * arrive before a quieter room's older event; `upTo` is the highest seq below which nothing is
 * missing: the cursor a client resumes from.
 */
export interface LiveFrame {
  upTo: number
  events: LiveEvent[]
}

/** Kinds a tab may say it watches; only the server turns them into rooms. */
export const WATCH_KINDS = [
  'menu',
  'order',
  'case',
  'review',
  'ticket',
  'customer',
  'board',
  'job',
  'plan',
] as const
export type WatchKind = (typeof WATCH_KINDS)[number]

export const PRESENCE_STATES = ['online', 'away', 'busy', 'dialling', 'reviewing'] as const
export type PresenceState = (typeof PRESENCE_STATES)[number]

export interface PresenceMember {
  userId: string
  userName: string
  /** Id of the picture, for those who have one. */
  avatar?: string
  state: PresenceState
  since: string
  editing: boolean
}

export const LIVE_NAMESPACE = '/ops'
export const LIVE_PATH = '/socket.io'
/** The edge sends its newest seq this often, so that a quiet screen knows it is fresh. */
export const HEARTBEAT_MS = 5_000
