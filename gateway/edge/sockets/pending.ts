import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { Frame } from './frame.ts'

/** Events that wait for one or more connections: a path from the last one to the first. */
export interface Pending {
  before: Pending | null
  event: FeedEvent
  frame: Frame | null
}
