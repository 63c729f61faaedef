/**
 * The live half of the edge: Socket.IO on the namespace `/ops`, fed by the event feed.
 */
import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { LIVE_NAMESPACE, LIVE_PATH } from '#shared/kernel/live.ts'
import { NOT_AVAILABLE, TOO_MANY_REQUESTS } from '#shared/kernel/problem.ts'
import type { Clock } from '#gateway/kernel/clock.ts'
import type { Logger } from '#gateway/kernel/logger.ts'
import type { LiveMetrics } from '#gateway/kernel/metrics.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { FeedPage } from '#gateway/edge/feed/feed-page.ts'
import { Ring } from '#gateway/edge/feed/ring.ts'
import { type EdgeLimits, TokenBuckets } from '#gateway/edge/limits.ts'
import { cut, writeFrame } from './backpressure.ts'
import { CatchUp } from './catch-up.ts'
import { Coalescer } from './coalesce.ts'
import { encodeFrame, encodeMessage, type Frame } from './frame.ts'
import { originCheck, readHandshake, refusedConnect } from './handshake.ts'
import { type Handler, messageHandlers } from './messages.ts'
import { Presence } from './presence.ts'
import { bridgePresence, type PresenceBridge } from './presence-bridge.ts'
import type { RightsClient } from './rights-client.ts'
import { Rights } from './rights.ts'
import { Rooms } from './rooms.ts'
import { newConnection, type Connection } from './connection.ts'
import { Connections } from './connections.ts'

export interface SocketsDeps {
  addressOf: AddressOf
  server: HttpServer
  limits: EdgeLimits
  logger: Logger
  clock: Clock
  metrics: LiveMetrics
  publicOrigins: readonly string[] | null
  redisUrl: string | null
  questions: RightsClient
  page: (after: number, limit: number) => Promise<FeedPage>
  isFeedAlive: () => boolean
  isDraining: () => boolean
}

/** Messages over the allowance after which a socket is cut instead of answered. */
const FLOOD = 200
const SWEEP_MS = 1_000
const CLOSE_MS = 1_000

export class Sockets {
  readonly io: Server
  readonly ring: Ring
  readonly presence: Presence
  readonly #deps: SocketsDeps
  readonly #rooms = new Rooms()
  readonly #connections: Connections
  readonly #coalescer: Coalescer
  readonly #rights: Rights
  readonly #catchUp: CatchUp
  readonly #handlers: Record<string, Handler>
  readonly #bridge: PresenceBridge | null
  readonly #timers: NodeJS.Timeout[]
  #started = false

  constructor(deps: SocketsDeps) {
    const { limits, clock } = deps
    const now = () => clock.now()
    const send = (connection: Connection, frame: Frame) => this.#send(connection, frame)
    this.#deps = deps
    this.ring = new Ring(limits.ringEvents, limits.ringBytes)
    this.#connections = new Connections(limits.socketsPerUser)
    this.#coalescer = new Coalescer(this.#rooms, limits.coalesceMs, send)
    this.#rights = new Rights({
      questions: deps.questions,
      rooms: this.#rooms,
      now,
      kick: (connection, reason) => this.#kick(connection, reason),
      onRefused: (connection, refused) =>
        refused.forEach((watch) => this.presence.leave(watch, connection)),
      onRows: (connection, rows) => this.presence.listen(connection, rows),
    })
    this.#catchUp = new CatchUp({
      ring: this.ring,
      rooms: this.#rooms,
      page: deps.page,
      send,
      now,
      pageSize: limits.catchUpPage,
      atOnce: limits.catchUpsAtOnce,
      resyncMs: limits.resyncMs,
      onDone: (from) => deps.metrics.catchUps.inc({ from }),
    })
    this.presence = new Presence({
      now,
      announce: (connections, shown) => {
        const message = encodeMessage('presence', JSON.stringify(shown))
        for (const connection of connections) this.#send(connection, message)
      },
      publish: (watch, members) => this.#bridge?.publish(watch, members),
    })
    this.#bridge =
      deps.redisUrl === null
        ? null
        : bridgePresence(deps.redisUrl, () => this.presence, deps.logger, limits)
    this.#handlers = messageHandlers({
      rights: this.#rights,
      presence: this.presence,
      catchUp: this.#catchUp,
      coalescer: this.#coalescer,
      head: () => this.ring.head,
      maxWatches: limits.watches,
      maxRows: limits.rows,
    })
    this.io = new Server(deps.server, {
      path: LIVE_PATH,
      transports: ['websocket'],
      serveClient: false,
      pingInterval: 5_000,
      pingTimeout: 4_000,
      maxHttpBufferSize: limits.messageBytes,
      perMessageDeflate: false,
      httpCompression: false,
      connectTimeout: 10_000,
      allowRequest: originCheck({
        publicOrigins: deps.publicOrigins,
        perIp: new TokenBuckets(limits.handshakesPerSecondPerIp, limits.handshakesPerSecondPerIp),
        addressOf: deps.addressOf,
        now,
        isDraining: deps.isDraining,
      }),
    })
    const namespace = this.io.of(LIVE_NAMESPACE)
    namespace.use(
      (socket, next) =>
        void this.#authenticate(socket).then(
          next,
          (err: unknown) => (
            deps.logger.error({ err }, 'a handshake failed'),
            next(refusedConnect(problemBody(NOT_AVAILABLE)))
          ),
        ),
    )
    namespace.on('connection', (socket) => this.#connected(socket))
    this.#timers = [
      setInterval(() => this.#heartbeat(), limits.heartbeatMs),
      setInterval(() => this.#sweep(), SWEEP_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** An event of the feed, in the order of the log. */
  deliver(event: FeedEvent): void {
    this.ring.push(event)
    this.#coalescer.deliver(event)
    this.#deps.metrics.feedLag.set(Math.max(0, (this.#deps.clock.now() - event.at) / 1000))
    if (event.recheck) this.#rights.onRecheck(event, this.#connections.notLive())
  }

  /** The feed starts at `head`, or had a gap: connected clients read again. */
  jump(head: number): void {
    this.#coalescer.flush()
    this.ring.reset(head)
    this.#coalescer.setNewest(head)
    if (this.#started) this.#catchUp.resyncAll(this.#rooms.connections)
    this.#started = true
  }

  /**
   * A token was renewed on its way through the proxy; the socket of that tab continues under the new
   * one.
   */
  renewed(before: string, after: string): void {
    for (const connection of this.#connections.all())
      if (connection.token === before) connection.token = after
  }

  /**
   * Resolves when every event read so far, every answer asked for and every presence change has
   * been written.
   */
  async settle(): Promise<void> {
    for (;;) {
      const work = [...this.#rights.pending, ...this.#catchUp.pending]
      if (work.length === 0) break
      await Promise.allSettled(work)
    }
    this.#coalescer.flush()
    this.presence.flush()
  }

  /**
   * Asks clients to come back elsewhere, each after its own moment, and gives them that long to
   * leave.
   */
  async drain(): Promise<void> {
    const { drainJitterMs } = this.#deps.limits
    this.#coalescer.flush()
    for (const connection of this.#connections.all())
      connection.socket.emit('server.draining', {
        retryAfterMs: Math.floor(Math.random() * (drainJitterMs + 1)),
      })
    const until = this.#deps.clock.now() + drainJitterMs + 500
    while (this.#connections.size > 0 && this.#deps.clock.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#coalescer.stop()
    this.#rights.stop()
    const open = this.#connections.all()
    this.io.of(LIVE_NAMESPACE).local.disconnectSockets(true)
    this.presence.stop()
    await this.#bridge?.close()
    // A peer that no longer answers would hold the listener open for the closing handshake's 30 s.
    const until = this.#deps.clock.now() + CLOSE_MS
    while (this.io.engine.clientsCount > 0 && this.#deps.clock.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 10))
    for (const connection of open) cut(connection)
    this.io.engine.close()
  }

  async #authenticate(socket: Socket): Promise<Error | undefined> {
    const handshake = readHandshake(socket, this.#deps.addressOf)
    if (!handshake) return refusedConnect()
    if (!this.#started) return refusedConnect(problemBody(NOT_AVAILABLE))
    const connection = newConnection(socket, handshake, this.#deps.clock.now())
    // Known from here on, so that a change of rights during the question is not missed.
    this.#connections.add(connection)
    socket.conn.once('close', () => this.#end(connection))
    const answer = await this.#rights.refresh(connection)
    const envelope =
      answer.kind !== 'yes'
        ? answer.envelope
        : this.#connections.take(connection, answer.data)
          ? null
          : problemBody(TOO_MANY_REQUESTS, { s: 60 })
    if (envelope === null) {
      socket.data = connection
      return undefined
    }
    this.#end(connection)
    return refusedConnect(envelope)
  }

  #connected(socket: Socket): void {
    const connection = socket.data as Connection
    const { lastSeq } = socket.handshake.auth as { lastSeq?: unknown }
    // The upgrade request is the largest thing Socket.IO keeps for a socket; nothing reads it any more.
    Object.assign(socket.conn, { request: null })
    Object.assign(socket, { handshake: { auth: {}, headers: {} } })
    socket.use((packet, next) => this.#take(connection, packet, next))
    socket.on('disconnect', () => this.#end(connection))
    this.#deps.metrics.sockets.set(this.#connections.size)
    this.#catchUp.start(connection, lastSeq)
  }

  /** One handler for all messages; none is passed on to Socket.IO's listeners. */
  #take(connection: Connection, packet: readonly unknown[], _next: unknown): void {
    const [name, input] = packet
    const last = packet.at(-1)
    const ack = typeof last === 'function' ? (last as (answer: unknown) => void) : () => undefined
    const wait = this.#overRate(connection)
    if (wait > 0) {
      ack(problemBody(TOO_MANY_REQUESTS, { s: wait }))
      return
    }
    const handler = Object.hasOwn(this.#handlers, String(name))
      ? this.#handlers[String(name)]
      : undefined
    if (!handler || input === null || typeof input !== 'object') {
      ack({ code: 400, msg: 'Unknown message', data: null })
      return
    }
    void Promise.resolve(handler(connection, input as Record<string, unknown>)).then(
      ack,
      (err: unknown) => {
        this.#deps.logger.error({ err, message: String(name) }, 'a socket message failed')
        ack(problemBody(NOT_AVAILABLE))
      },
    )
  }

  #overRate(connection: Connection): number {
    const { messagesPerSecond } = this.#deps.limits
    const now = this.#deps.clock.now()
    connection.tokens = Math.min(
      messagesPerSecond,
      connection.tokens + (Math.max(0, now - connection.tokensAt) / 1000) * messagesPerSecond,
    )
    connection.tokensAt = now
    connection.tokens -= 1
    if (connection.tokens >= 0) return 0
    if (connection.tokens < -FLOOD) this.#cut(connection, 'flood')
    return 1
  }

  #send(connection: Connection, frame: Frame): void {
    if (connection.ended) return
    if (!writeFrame(connection, frame, this.#deps.limits)) return this.#cut(connection, 'slow')
    this.#deps.metrics.frames.inc()
    if (frame.events > 0) this.#deps.metrics.delivered.inc(frame.events)
  }

  #cut(connection: Connection, reason: string): void {
    if (connection.ended) return
    this.#deps.metrics.cut.inc({ reason })
    this.#deps.logger.warn({ reason, userId: connection.userId }, 'a socket was cut')
    this.#end(connection)
    cut(connection)
  }

  #kick(connection: Connection, reason: string): void {
    if (connection.ended) return
    this.#deps.metrics.cut.inc({ reason: 'kick' })
    connection.socket.emit('kick', { reason })
    this.#end(connection)
    connection.socket.disconnect(true)
  }

  #end(connection: Connection): void {
    if (connection.ended) return
    connection.ended = true
    this.#rooms.leave(connection)
    this.#coalescer.drop(connection)
    this.presence.leaveAll(connection)
    this.#connections.remove(connection)
    this.#deps.metrics.sockets.set(this.#connections.size)
  }

  /**
   * Sends how fresh the edge is; while the feed is down it sends nothing, and screens show since when
   * they are stale.
   */
  #heartbeat(): void {
    if (!this.#deps.isFeedAlive()) return
    this.#coalescer.flush()
    const frame = encodeFrame(this.#coalescer.newest, [])
    for (const connection of [...this.#rooms.connections]) this.#send(connection, frame)
  }

  /**
   * Asks again once a minute; the sockets of one session together, so that they share the question.
   */
  #sweep(): void {
    const due = this.#deps.clock.now() - this.#deps.limits.recheckMs
    for (const connection of this.#connections.all()) {
      if (connection.queriedAt > due || connection.userId === '') continue
      for (const other of this.#connections.ofUser(connection.userId))
        if (other.token === connection.token) void this.#rights.routine(other)
    }
  }
}
