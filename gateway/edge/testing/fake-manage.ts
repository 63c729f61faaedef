/**
 * The two contracts of manage as the edge sees them - calls and feed - for tests of the edge alone.
 */
import type { ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

export interface FakeEvent {
  subject: string
  audience: string[]
  type?: string
  recheck?: boolean
  data?: Record<string, unknown>
  actorid?: string
  clientid?: string
  entityversion?: number
  /** Stands in the log, but the stream loses it. */
  isLost?: boolean
}

export interface FakeSession {
  userId: string
  userName: string
  avatar?: string
  /** Outside agency. */
  circle?: string
  rooms: string[]
  /** Watches it may have, each with its rooms. */
  watchable: Record<string, string[]>
}

export interface SeenRequest {
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface FakeManage {
  url: string
  feedUrl: string
  secret: string
  app: FastifyInstance
  sessions: Map<string, FakeSession>
  seen: SeenRequest[]
  /** Answers of `/slow` that were begun and never come. */
  slow: ServerResponse[]
  /** Requests for rights made by the edge, newest last. */
  questions: string[]
  log: Record<string, unknown>[]
  addSession(token: string, session?: Partial<FakeSession>): FakeSession
  append(event: FakeEvent): number
  head(): number
  /** Forgets events up to the seq. */
  prune(upTo: number): void
  /** Ends every feed connection; `closed` keeps new ones out as well. */
  dropFeed(closed?: boolean): void
  openFeed(): void
  /** How long a call of /live/rooms waits before it answers. */
  roomsGate: Promise<void> | null
  close(): Promise<void>
}

const SECRET = 'feed-secret'

export async function fakeManage(): Promise<FakeManage> {
  const log: Record<string, unknown>[] = []
  const streams = new Set<FastifyReply>()
  const seen: SeenRequest[] = []
  const slow: ServerResponse[] = []
  const questions: string[] = []
  const sessions = new Map<string, FakeSession>()
  let pruned = 0
  let isFeedClosed = false

  const app = Fastify({ exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: 20_000_000 },
    (_request, body, done) => done(null, body),
  )
  app.addHook('preHandler', (request, _reply, done) => {
    seen.push({
      method: request.method,
      url: request.raw.url ?? '',
      headers: request.headers,
      body: typeof request.body === 'string' ? request.body : '',
    })
    done()
  })
  app.get('/api/manage/live/rooms', async (request: FastifyRequest, reply) => {
    const { watch = '', rows = '' } = request.query as { watch?: string; rows?: string }
    questions.push(watch)
    const session = sessions.get(request.headers.authorization ?? '')
    const answer = session
      ? roomsOf(session, watch, rows)
      : {
          code: 401,
          msg: 'Session expired, please log in again',
          data: null,
          problem: { id: 'G401', params: {} },
        }
    if (manage.roomsGate) await manage.roomsGate
    return reply.send(answer)
  })
  app.all('/api/manage/echo', (_request, reply) =>
    reply
      .header('x-seq', '7')
      .header('set-cookie', ['a=1', 'b=2'])
      .send({ code: 200, msg: '', data: 'hello' }),
  )
  app.get('/api/manage/page', (_request, reply) =>
    reply.send({ code: 200, data: 'x'.repeat(5_000) }),
  )
  app.get('/api/manage/renew', (_request, reply) =>
    reply.header('authorization', 'renewed-token').send({ code: 200, msg: '', data: null }),
  )
  app.get('/api/manage/file', (_request, reply) =>
    reply
      .header('content-disposition', 'attachment; filename="a.csv"')
      .type('text/csv')
      .send('x'.repeat(300_000)),
  )
  for (const [path, answer] of [
    ['broken-off', 5_000],
    ['cut', 300_000],
  ] as const)
    app.get(`/api/manage/${path}`, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': answer })
      reply.raw.write('{"code":200', () => reply.raw.destroy())
    })
  app.get('/api/manage/empty', (_request, reply) => reply.code(304).send())
  app.get('/api/manage/slow', (_request, reply) => {
    slow.push(reply.raw)
    return new Promise(() => undefined)
  })
  app.get('/api/manage/broken', (_request, reply) => {
    reply.hijack()
    reply.raw.destroy()
  })
  app.post('/api/manage/login', (_request, reply) =>
    reply.send({ code: 200, msg: '', data: { token: 't' } }),
  )
  app.all('/api/manage/*', (_request, reply) =>
    reply.send({ code: 400, msg: 'Record not found', data: null }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })

  const feed = Fastify()
  const oldest = () => pruned + 1
  feed.addHook('onRequest', (request, reply, done) => {
    if (request.headers['x-internal-secret'] !== SECRET) void reply.code(403).send('no')
    else if (isFeedClosed) reply.raw.destroy()
    else done()
  })
  feed.get('/feed/page', (request, reply) => {
    const { after, limit } = request.query as { after: string; limit: string }
    const events = log
      .filter((e) => Number(e.seq) > Number(after) && Number(e.seq) > pruned)
      .slice(0, Number(limit))
    return reply.send({ events, head: log.length, oldest: oldest() })
  })
  feed.get('/feed', (request, reply) => {
    const after = Number((request.query as { after: string }).after)
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write(headMessage())
    for (const event of log)
      if (Number(event.seq) > after && Number(event.seq) > pruned)
        reply.raw.write(eventMessage(event))
    streams.add(reply)
    reply.raw.on('close', () => streams.delete(reply))
  })
  await feed.listen({ port: 0, host: '127.0.0.1' })
  const beat = setInterval(() => {
    for (const stream of streams) stream.raw.write(': hb\n\n')
  }, 1_000)

  function headMessage(): string {
    return `event: head\ndata: ${JSON.stringify({ seq: log.length, oldest: oldest() })}\n\n`
  }

  const manage: FakeManage = {
    url: address(app),
    feedUrl: address(feed),
    secret: SECRET,
    app,
    sessions,
    seen,
    slow,
    questions,
    log,
    roomsGate: null,
    addSession(token, session = {}) {
      const full = {
        userId: `u-${token}`,
        userName: `Name ${token}`,
        rooms: ['all', `user:u-${token}`],
        watchable: {},
        ...session,
      }
      sessions.set(token, full)
      return full
    },
    append(event) {
      const seq = log.length + 1
      const {
        subject,
        audience,
        type = 'order.updated',
        recheck,
        data = {},
        isLost = false,
        ...extensions
      } = event
      const cloud = {
        specversion: '1.0',
        id: `e${seq}`,
        source: '/manage',
        type,
        subject,
        time: new Date().toISOString(),
        datacontenttype: 'application/json',
        data,
        seq,
        audience: JSON.stringify(audience),
        ...(recheck ? { recheck } : {}),
        ...extensions,
      }
      log.push(cloud)
      if (!isLost) for (const stream of streams) stream.raw.write(eventMessage(cloud))
      return seq
    },
    head: () => log.length,
    prune(upTo) {
      pruned = upTo
    },
    dropFeed(closed = false) {
      isFeedClosed = closed
      for (const stream of streams) stream.raw.destroy()
      streams.clear()
    },
    openFeed() {
      isFeedClosed = false
    },
    async close() {
      clearInterval(beat)
      for (const stream of streams) stream.raw.destroy()
      app.server.closeAllConnections()
      feed.server.closeAllConnections()
      await Promise.all([app.close(), feed.close()])
    },
  }
  return manage
}

function roomsOf(session: FakeSession, watch: string, rows: string): unknown {
  const keys = watch === '' ? [] : watch.split(',')
  const refused = keys.filter((one) => !session.watchable[one])
  const rooms = [...session.rooms, ...keys.flatMap((one) => session.watchable[one] ?? [])]
  return {
    code: 200,
    msg: '',
    data: {
      userId: session.userId,
      userName: session.userName,
      avatar: session.avatar ?? null,
      sessionId: `s-${session.userId}`,
      circle: session.circle ?? null,
      rooms,
      refused,
      rows: rows.split(',').filter((row) => session.watchable[row]),
    },
  }
}

function eventMessage(event: Record<string, unknown>): string {
  return `id: ${String(event.seq)}\ndata: ${JSON.stringify(event)}\n\n`
}

function address(app: FastifyInstance): string {
  const at = app.server.address()
  if (at === null || typeof at === 'string') throw new Error('not listening')
  return `http://127.0.0.1:${at.port}`
}
