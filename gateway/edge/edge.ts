/**
 * The edge: static client, proxy to manage, sockets. Knows no feature and nothing of manage but its
 * URL; does not listen itself (main.ts does) and reads no environment.
 */
import type { FastifyInstance } from 'fastify'
import type { Server } from 'socket.io'
import { type Clock, systemClock } from '#gateway/kernel/clock.ts'
import type { Logger } from '#gateway/kernel/logger.ts'
import { createRegistry, httpMetrics, liveMetrics, type Registry } from '#gateway/kernel/metrics.ts'
import { clientAddress } from '#gateway/edge/client-address.ts'
import { type CoreAddress, Cores } from '#gateway/edge/cores.ts'
import { FeedReader } from '#gateway/edge/feed/feed-reader.ts'
import { buildHttp } from '#gateway/edge/http.ts'
import { EDGE_LIMITS, type EdgeLimits } from '#gateway/edge/limits.ts'
import { servePresence } from '#gateway/edge/presence-route.ts'
import { RightsClient } from '#gateway/edge/sockets/rights-client.ts'
import { Sockets } from '#gateway/edge/sockets/sockets.ts'
import { connectUpstream } from '#gateway/edge/upstream.ts'

export interface EdgeDeps {
  /** One or several, all of one database. */
  cores: readonly CoreAddress[]
  /** Guards their internal listeners. */
  feedSecret: string
  /** The built client; null = none is served. */
  staticDir: string | null
  /** Origins sockets may come from; null = the host that was asked. */
  publicOrigins: string[] | null
  redisUrl: string | null
  logger: Logger
  /** Whether clients reach it over TLS. */
  secure: boolean
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[]
  limits?: Partial<EdgeLimits>
  clock?: Clock
  /** Where figures go; an own registry when absent. */
  registry?: Registry
}

export interface EdgeApp {
  fastify: FastifyInstance
  io: Server
  registry: Registry
  /** Connects the feed; does not listen. */
  start(): Promise<void>
  /** On SIGTERM: unready, clients notified, then everything closed within 10 s. */
  drain(): Promise<void>
  close(): Promise<void>
  /** Seq of the newest event read. */
  cursor(): number
  /** Resolves when all events read so far have been written to their sockets. */
  settle(): Promise<void>
}

const UNREADY_AFTER_MS = 10_000
const DRAIN_LIMIT_MS = 9_500

export async function buildEdge(deps: EdgeDeps): Promise<EdgeApp> {
  const limits: EdgeLimits = { ...EDGE_LIMITS, ...deps.limits }
  const clock = deps.clock ?? systemClock
  const registry = deps.registry ?? createRegistry()
  const { logger } = deps
  const addressOf = clientAddress(deps.trustedProxies ?? [])
  const cores = new Cores(deps.cores, limits, logger)
  const manage = connectUpstream(cores, 'calls', limits.questionsAtOnce)
  const internal = connectUpstream(cores, 'internal', limits.catchUpsAtOnce)
  const questions = new RightsClient(manage, limits.questionsAtOnce)
  let draining = false

  const feed: FeedReader = new FeedReader({
    upstream: internal,
    secret: deps.feedSecret,
    silenceMs: limits.feedSilenceMs,
    logger,
    clock,
    onEvent: (event) => sockets.deliver(event),
    onJump: (head) => sockets.jump(head),
  })
  const fastify = await buildHttp({
    limits,
    logger,
    clock,
    secure: deps.secure,
    deviceSecret: deps.feedSecret,
    addressOf,
    staticDir: deps.staticDir,
    health: {
      version: null,
      isDraining: () => draining,
      checks: { feed: () => ({ ok: feed.downForMs <= UNREADY_AFTER_MS, value: feed.isAlive }) },
    },
    metrics: httpMetrics(registry, 'edge'),
    proxy: { cores, onRenewed: (before, after) => sockets.renewed(before, after) },
    ownRoutes: (app) => servePresence(app, questions, addressOf, () => sockets.presence),
  })
  const sockets = new Sockets({
    server: fastify.server,
    addressOf,
    limits,
    logger,
    clock,
    metrics: liveMetrics(registry),
    publicOrigins: deps.publicOrigins,
    redisUrl: deps.redisUrl,
    questions,
    page: (after, limit) => feed.page(after, limit),
    isFeedAlive: () => feed.isAlive,
    isDraining: () => draining,
  })
  // Sockets are ended before the listener is: Fastify waits for its connections.
  fastify.addHook('preClose', async () => {
    feed.stop()
    await sockets.close()
  })
  fastify.addHook('onClose', async () => {
    cores.close()
    manage.close()
    internal.close()
  })

  async function drain(): Promise<void> {
    draining = true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        fastify.server.closeAllConnections()
        resolve()
      }, DRAIN_LIMIT_MS)
    })
    await Promise.race([sockets.drain().then(() => fastify.close()), late])
    clearTimeout(timer)
  }

  return {
    fastify,
    io: sockets.io,
    registry,
    start() {
      cores.start()
      return feed.start()
    },
    drain,
    close: () => fastify.close(),
    cursor: () => sockets.ring.head,
    settle: () => sockets.settle(),
  }
}
