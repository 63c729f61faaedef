/**
 * The event feed: published events as CloudEvents 1.0 over Server-Sent Events, for edges, on
 * manage's internal listener only. Each edge brings its own cursor; events older than this
 * process's memory are read from the log.
 */
import { timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { CloudEvent } from 'cloudevents'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#gateway/manage/db/client.ts'
import { type OutboxRow, publishedAfter, publishedRange, type Relay } from './relay.ts'

const PAGE = 500
/** What the internal listener answers to holders of the secret only. */
const SECRET_PATHS = /^\/(?:feed|backup)\b/
const HEAD_MS = 1_000
/** A reader that does not take its bytes is cut; it comes back with its cursor. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

function toCloudEvent(row: OutboxRow): Record<string, unknown> {
  // built once per event and shared by all readers
  return new CloudEvent(
    {
      id: row.id,
      source: '/manage',
      type: row.type,
      subject: row.subject,
      time: row.created_at,
      datacontenttype: 'application/json',
      data: row.data,
      seq: row.seq,
      ...(row.actor_id === null ? {} : { actorid: row.actor_id }),
      ...(row.actor_name === null ? {} : { actorname: row.actor_name }),
      ...(row.client_id === null ? {} : { clientid: row.client_id }),
      ...(row.entity_version === null ? {} : { entityversion: row.entity_version }),
      audience: JSON.stringify(row.rooms),
      recheck: row.recheck,
    },
    false,
  ).toJSON()
}

function sse(row: OutboxRow): string {
  return `id: ${row.seq}\ndata: ${JSON.stringify(toCloudEvent(row))}\n\n`
}

export interface Feed {
  readers(): number
  close(): void
}

/** Adds `/feed` and `/feed/page` to the internal listener. */
export function serveFeed(
  app: FastifyInstance,
  database: Database,
  relay: Relay,
  secret: string,
): Feed {
  const open = new Set<ServerResponse>()

  app.addHook('onRequest', async (request, reply) => {
    if (!SECRET_PATHS.test(request.url)) return
    const given = Buffer.from(String(request.headers['x-internal-secret'] ?? ''))
    const wanted = Buffer.from(secret)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      await reply.code(403).send({ error: 'forbidden' })
  })

  app.get('/feed/page', { config: { open: 'internal' } as never }, async (request) => {
    const query = request.query as { after?: string; limit?: string }
    const limit = Math.min(Number(query.limit) || PAGE, PAGE)
    const rows = await publishedAfter(database, Number(query.after) || 0, limit)
    return { events: rows.map(toCloudEvent), ...(await publishedRange(database)) }
  })

  app.get('/feed', { config: { open: 'internal' } as never }, async (request, reply) => {
    const { after } = request.query as { after?: string }
    reply.hijack()
    const out = reply.raw
    open.add(out)
    out.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    let sent = 0
    let live = false
    const waiting: OutboxRow[][] = []
    function write(text: string): void {
      if (out.writableLength > MAX_UNREAD_BYTES) out.destroy()
      else out.write(text)
    }
    function push(rows: readonly OutboxRow[]): void {
      const fresh = rows.filter((row) => row.seq > sent)
      const last = fresh.at(-1)
      if (!last) return
      sent = last.seq
      write(fresh.map(sse).join(''))
    }
    // subscribe first, then read what came before, so that no event is missed
    const unsubscribe = relay.subscribe((rows) => (live ? push(rows) : waiting.push([...rows])))
    const beat = setInterval(() => {
      if (live) write(`event: head\ndata: {"seq":${Math.max(sent, relay.head())}}\n\n`)
    }, HEAD_MS)
    out.on('close', () => {
      unsubscribe()
      clearInterval(beat)
      open.delete(out)
    })
    try {
      const range = await publishedRange(database)
      sent = after === undefined || after === '' ? range.head : Number(after)
      write(`event: head\ndata: {"seq":${range.head},"oldest":${range.oldest}}\n\n`)
      while (sent < range.head) {
        const rows = await publishedAfter(database, sent, PAGE)
        if (rows.length === 0) break
        push(rows)
      }
      live = true
      for (const rows of waiting) push(rows)
    } catch (error) {
      request.log.error({ err: error }, 'the feed could not be read')
      out.destroy()
    }
  })
  return {
    readers: () => open.size,
    close() {
      for (const out of open) out.destroy()
    },
  }
}
