/**
 * The HTTP half of the edge: a Fastify app with limits, health, static files and the proxy. No
 * sockets here.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import {
  BAD_REQUEST,
  NOT_AVAILABLE,
  type ProblemKind,
  TOO_LARGE,
  TOO_MANY_REQUESTS,
} from '#shared/kernel/problem.ts'
import type { Clock } from '#gateway/kernel/clock.ts'
import { type Health, serveHealth } from '#gateway/kernel/health.ts'
import type { Logger } from '#gateway/kernel/logger.ts'
import type { HttpMetrics } from '#gateway/kernel/metrics.ts'
import { logAccess } from '#gateway/edge/access-log.ts'
import { problemBody, refuse } from '#gateway/edge/answers.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import { securityHeaders } from '#gateway/edge/headers.ts'
import { type EdgeLimits, TokenBuckets } from '#gateway/edge/limits.ts'
import { serveDocs } from '#gateway/edge/docs.ts'
import { isSignIn, loginGate, takeCredentials } from '#gateway/edge/login-body.ts'
import { API_BASE, isPlainPath, pathOf } from '#gateway/edge/paths.ts'
import { type ProxyDeps, serveProxy } from '#gateway/edge/proxy.ts'
import { SignInLimits } from '#gateway/edge/sign-in-limits.ts'
import { serveClient } from '#gateway/edge/static.ts'

export interface HttpDeps {
  limits: EdgeLimits
  logger: Logger
  clock: Clock
  secure: boolean
  /** Signs the cookies of known devices; the same at every edge. */
  deviceSecret: string
  addressOf: AddressOf
  staticDir: string | null
  health: Health
  metrics: HttpMetrics
  proxy: Pick<ProxyDeps, 'cores' | 'onRenewed'>
  /** Routes the edge answers itself, before the proxy's wildcard. */
  ownRoutes: (app: FastifyInstance) => void
}

export async function buildHttp(deps: HttpDeps): Promise<FastifyInstance> {
  const { limits } = deps
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    rewriteUrl: takeCredentials,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: limits.uploadBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxRequestsPerSocket: 1_000,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    clientErrorHandler: refuseUnreadable(limits.headerBytes / 1_048_576),
    frameworkErrors: (_err, _request, reply) => void refuse(reply as FastifyReply, BAD_REQUEST),
  })
  app.server.maxConnections = limits.connections
  const always = securityHeaders(deps.secure)
  logAccess(app, deps.metrics)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(always)
    void reply.header('x-request-id', request.id)
    if (deps.health.isDraining()) void reply.header('connection', 'close')
    if (isPlainPath(pathOf(request.raw.url ?? '')) && hasOneHost(request.raw.rawHeaders)) done()
    else void refuse(reply, BAD_REQUEST)
  })
  await app.register(underPressure, {
    maxEventLoopDelay: limits.loopDelayMs,
    maxHeapUsedBytes: limits.heapBytes,
    pressureHandler: (request, reply) => {
      if (request.raw.url === '/livez' || request.raw.url === '/healthz') return
      void refuse(reply.header('retry-after', '5'), NOT_AVAILABLE)
    },
  })
  app.addHook('onRequest', limitCalls(deps))
  app.setErrorHandler((err: Error & { statusCode?: number }, request, reply) => {
    const status = err.statusCode ?? 500
    if (status >= 500) request.log.error({ err }, 'the edge failed')
    return status >= 500 ? refuse(reply, NOT_AVAILABLE) : refuse(reply, BAD_REQUEST)
  })
  // Bodies are streamed on, never parsed here.
  app.removeAllContentTypeParsers()

  serveHealth(app, deps.health)
  deps.ownRoutes(app)
  const signIns = new SignInLimits({ ...deps, secret: deps.deviceSecret })
  await serveProxy(app, {
    ...deps.proxy,
    limits,
    secure: deps.secure,
    addressOf: deps.addressOf,
    beforePost: loginGate(signIns),
    answered: (request, reply) => {
      if (request.bodyCode === 200 && isSignIn(request)) signIns.remember(request, reply)
    },
  })
  await serveDocs(app)
  await serveClient(app, deps.staticDir)
  return app
}

/**
 * Node answers a missing Host without a body and takes the first of two; neither is what an
 * envelope reader or manage expects.
 */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (
      (rawHeaders[i] as string).length === 4 &&
      (rawHeaders[i] as string).toLowerCase() === 'host'
    )
      hosts += 1
  return hosts === 1
}

/** Our tokens are shorter; a longer made-up one must not fill the memory. */
const KEPT_TOKEN = 128

/**
 * API calls by session (or address when there is none), so that one script cannot take a floor's
 * share.
 */
function limitCalls({ limits, clock, addressOf }: HttpDeps) {
  const buckets = new TokenBuckets(limits.requestsPerSecond, limits.requestBurst)
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (!request.raw.url?.startsWith(`${API_BASE}/`)) return done()
    const token = request.headers.authorization
    const key =
      token === undefined
        ? addressOf(request.raw)
        : token.length <= KEPT_TOKEN
          ? token
          : createHash('sha256').update(token).digest('base64')
    const wait = buckets.take(key, clock.now())
    if (wait === 0) done()
    else void refuse(reply, TOO_MANY_REQUESTS, { s: wait })
  }
}

/**
 * What Node's parser refuses (smuggling, overlong headers, slow clients) never reaches a route; it
 * still gets an envelope.
 * @param headerMegabytes shown when the headers are too long
 */
function refuseUnreadable(headerMegabytes: number) {
  return (err: NodeJS.ErrnoException, socket: Socket): void => {
    if (err.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const large = err.code === 'HPE_HEADER_OVERFLOW'
    const kind: ProblemKind = large ? TOO_LARGE : BAD_REQUEST
    const status = large
      ? '413 Payload Too Large'
      : err.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
    const body = JSON.stringify(problemBody(kind, large ? { n: headerMegabytes } : {}))
    const head = [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}
