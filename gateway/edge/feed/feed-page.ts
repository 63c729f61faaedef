/** One read of the log by cursor: `GET /feed/page?after=&limit=` on manage's internal listener. */
import type { Upstream } from '#gateway/edge/upstream.ts'
import { getJson } from '#gateway/edge/get-json.ts'
import { type FeedEvent, readFeedEvent } from './feed-event.ts'

export interface FeedPage {
  events: FeedEvent[]
  /** Newest seq of the log. */
  head: number
  /** Oldest seq still kept; a cursor below `oldest - 1` has lost events. */
  oldest: number
}

/** @throws when manage does not answer, refuses, or answers something else */
export async function readPage(
  upstream: Upstream,
  secret: string,
  after: number,
  limit: number,
): Promise<FeedPage> {
  const { status, body } = await getJson(upstream, `/feed/page?after=${after}&limit=${limit}`, {
    'x-internal-secret': secret,
  })
  const page = body as { events?: unknown; head?: unknown; oldest?: unknown } | null
  if (
    status !== 200 ||
    !page ||
    !Array.isArray(page.events) ||
    !Number.isSafeInteger(page.head) ||
    !Number.isSafeInteger(page.oldest)
  )
    throw new Error(`the feed page answered ${status}`)
  return {
    events: page.events.map(readFeedEvent),
    head: page.head as number,
    oldest: page.oldest as number,
  }
}
