/** A real edge on a real port before a fake manage, and clients that record what they receive. */
import { io, type Socket } from 'socket.io-client'
import type { LiveEvent, LiveFrame } from '#shared/kernel/live.ts'
import { buildEdge, type EdgeApp, type EdgeDeps } from '#gateway/edge/edge.ts'
import type { EdgeLimits } from '#gateway/edge/limits.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { type FakeManage, fakeManage } from './fake-manage.ts'

export interface EdgeUnderTest {
  edge: EdgeApp
  manage: FakeManage
  url: string
  port: number
  lines: string[]
  /** @param lastSeq its cursor, which may be anything */
  connect(token: string, lastSeq?: unknown): TestClient
  /** Waits until the edge has read everything appended and written it. */
  settle(): Promise<void>
  close(): Promise<void>
}

export const GENEROUS: Partial<EdgeLimits> = {
  loginsPerAccountPerMinute: 1_000,
  loginsPerIpPerMinute: 1_000,
  requestsPerSecond: 10_000,
  requestBurst: 10_000,
  handshakesPerSecondPerIp: 10_000,
  socketsPerUser: 1_000,
  messagesPerSecond: 1_000,
  // after a stall of a second the delay may be unknown, which counts as infinite
  loopDelayMs: Infinity,
}

export async function edgeUnderTest(
  overrides: Partial<Omit<EdgeDeps, 'limits'>> & { limits?: Partial<EdgeLimits> } = {},
  manage?: FakeManage,
): Promise<EdgeUnderTest> {
  const fake = manage ?? (await fakeManage())
  const lines: string[] = []
  const clients: TestClient[] = []
  const edge = await buildEdge({
    cores: [{ calls: fake.url, internal: fake.feedUrl }],
    feedSecret: fake.secret,
    staticDir: null,
    publicOrigins: null,
    redisUrl: null,
    logger: createLogger('trace', { write: (line) => lines.push(line) }),
    secure: false,
    ...overrides,
    limits: { ...GENEROUS, ...overrides.limits },
  })
  await edge.fastify.listen({ port: 0, host: '127.0.0.1' })
  await edge.start()
  const at = edge.fastify.server.address()
  if (at === null || typeof at === 'string') throw new Error('not listening')
  const url = `http://127.0.0.1:${at.port}`
  return {
    edge,
    manage: fake,
    url,
    port: at.port,
    lines,
    connect(token, lastSeq = null) {
      const client = new TestClient(url, token, lastSeq)
      clients.push(client)
      return client
    },
    async settle() {
      await until(() => edge.cursor() >= fake.head())
      await edge.settle()
    },
    async close() {
      for (const client of clients) client.socket.disconnect()
      await edge.close()
      if (!manage) await fake.close()
    },
  }
}

export class TestClient {
  readonly socket: Socket
  readonly frames: LiveFrame[] = []
  readonly events: LiveEvent[] = []
  readonly received: { name: string; data: Record<string, unknown> }[] = []
  upTo = -1

  constructor(url: string, token: string, lastSeq: unknown) {
    this.socket = io(`${url}/ops`, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: { origin: url },
      auth: { token, lastSeq, clientId: 'tab' },
    })
    this.socket.on('event', (frame: LiveFrame) => {
      this.frames.push(frame)
      this.events.push(...frame.events)
      this.upTo = frame.upTo
    })
    for (const name of ['resync', 'kick', 'presence', 'server.draining'])
      this.socket.on(name, (data: Record<string, unknown>) => this.received.push({ name, data }))
    for (const name of ['connect_error', 'disconnect'])
      this.socket.on(name, (data: unknown) =>
        this.received.push({
          name,
          data: {
            value: data,
            ...(data instanceof Error ? (data as Error & { data?: object }).data : {}),
          },
        }),
      )
  }

  get seqs(): number[] {
    return this.events.map((event) => event.seq)
  }

  named(name: string): Record<string, unknown>[] {
    return this.received.filter((one) => one.name === name).map((one) => one.data)
  }

  /** Connected and caught up: the first frame or resync is here. */
  async live(): Promise<this> {
    await until(() => this.upTo >= 0 || this.named('resync').length > 0)
    return this
  }

  receives(name: string, times = 1): Promise<void> {
    return until(() => this.named(name).length >= times)
  }

  reaches(upTo: number): Promise<void> {
    return until(() => this.upTo >= upTo)
  }

  send(
    name: string,
    input: unknown,
  ): Promise<{
    code: number
    msg: string
    data: Record<string, unknown> | null
    problem?: { id: string }
  }> {
    return this.socket.timeout(5_000).emitWithAck(name, input) as Promise<{
      code: number
      msg: string
      data: Record<string, unknown> | null
      problem?: { id: string }
    }>
  }
}

/** Waits for a fact; gives up with the fact's text. */
export async function until(fact: () => boolean, limitMs = 8_000): Promise<void> {
  const end = Date.now() + limitMs
  while (!fact()) {
    if (Date.now() > end) throw new Error(`never true: ${fact.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
