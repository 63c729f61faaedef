/**
 * /api/manage/* → manage through @fastify/http-proxy. Bodies are streamed both ways, never held. Around the library stand the
 * rules that are ours: which headers pass, how large a body may be, that a renewed token is noticed, and that every failure
 * is the envelope.
 */
import { Transform, type TransformCallback } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOT_AVAILABLE, NOT_FOUND, TOO_LARGE } from '#shared/kernel/problem.ts'
import { refuse } from '#gateway/edge/answers.ts'
import { clientHeaders, upstreamHeaders } from '#gateway/edge/headers.ts'
import type { EdgeLimits } from '#gateway/edge/limits.ts'
import { API_BASE, isInternalPath, pathOf } from '#gateway/edge/paths.ts'

export interface ProxyDeps {
  /** Manage, `http://host:port` or `unix:/path`. */
  url: string
  limits: EdgeLimits
  secure: boolean
  /** Manage renewed the session's token in an answer. */
  onRenewed: (before: string, after: string) => void
  /** May answer, or put another body in the place of the request's. */
  beforeCall: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const
const UPLOAD = /^multipart\/form-data\b/i
/** Applications bring their photos inside the JSON; manage bounds each of them. */
const CARRIES_PHOTOS = new RegExp(`^${API_BASE}/inbound/(?:application|resubmit)$`)
/** Boundaries and part headers around a file of exactly the allowed size. */
const MULTIPART_FRAME = 65_536
const BODY_CODE = /^\s*\{"code":(\d{1,5})/

export async function serveProxy(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  const { limits } = deps
  await app.register(async (scope) => {
    scope.addHook('preParsing', async (request, _reply, payload) => {
      const limit = bodyLimit(request, limits)
      if (Number(request.headers['content-length'] ?? 0) > limit) {
        request.raw.resume()
        throw new BodyTooLarge()
      }
      return request.headers['transfer-encoding'] === undefined ? payload : payload.pipe(new Counted(request, limit))
    })
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof BodyTooLarge) return refuse(reply.header('connection', 'close'), TOO_LARGE, { n: shownLimit(request, limits) / 1_048_576 })
      throw error
    })
    scope.addHook('preHandler', async (request, reply) => {
      if (isInternalPath(pathOf(request.raw.url ?? ''))) return refuse(reply, NOT_FOUND, {}, 404)
      return deps.beforeCall(request, reply)
    })
    await scope.register(httpProxy, {
      upstream: deps.url.startsWith('unix:') ? `unix+http://${encodeURIComponent(deps.url.slice('unix:'.length))}/` : deps.url,
      prefix: API_BASE,
      rewritePrefix: API_BASE,
      httpMethods: [...METHODS],
      disableRequestLogging: true,
      undici: { connections: limits.upstreamConnections, pipelining: 1, headersTimeout: limits.upstreamTimeoutMs, bodyTimeout: limits.upstreamTimeoutMs },
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => outgoingHeaders(request as FastifyRequest, headers, deps.secure),
        rewriteHeaders: (headers, request) => {
          const before = request?.headers.authorization
          const renewed = headers.authorization
          if (typeof renewed === 'string' && before && renewed !== before) deps.onRenewed(before, renewed)
          return clientHeaders(headers)
        },
        // a kept connection that manage had just closed is no failure of manage: a call without effect is asked once more
        retryDelay: ({ err, req, attempt }) => ((err as { code?: string } | null)?.code === 'UND_ERR_SOCKET' && attempt < 1 && req.method === 'GET' ? 1 : null),
        onError: (reply, { error }) => void fail(reply as FastifyReply, error, limits),
        onResponse: (request, reply, res) => {
          const stream = (res as unknown as { stream: NodeJS.ReadableStream }).stream
          void (reply as FastifyReply).send(stream)
          // beside the pipe that Fastify has just attached: both hear every chunk, the pipe alone sets the pace
          stream.on('data', counted(request as FastifyRequest, reply as FastifyReply))
        },
      },
    })
  })
}

class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly statusCode = 413
}

/** A body without a told length, cut where it passes the limit; what still comes is dropped so that the refusal can be read, a flood is ended. */
class Counted extends Transform {
  readonly #request: FastifyRequest
  readonly #limit: number
  #size = 0

  constructor(request: FastifyRequest, limit: number) {
    super()
    this.#request = request
    this.#limit = limit
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length
    if (this.#size <= this.#limit) return done(null, chunk)
    const { raw } = this.#request
    raw.unpipe(this)
    let dropped = 0
    raw.on('data', (more: Buffer) => {
      dropped += more.length
      if (dropped > this.#limit * 4) raw.destroy()
    })
    done(new BodyTooLarge())
  }
}

/** @param headers as the library made them: content-length and -type of a body put in place of the request's */
function outgoingHeaders(request: FastifyRequest, headers: Record<string, unknown>, secure: boolean): Record<string, string | string[]> {
  const out = upstreamHeaders(request.raw, request.id, secure) as Record<string, string | string[]>
  const { method, body } = request
  const replaced = body !== undefined && body !== null && typeof (body as { pipe?: unknown }).pipe !== 'function'
  const streams = !replaced && hasBody(request)
  if (replaced) {
    out['content-type'] = 'application/json'
    out['content-length'] = String(headers['content-length'])
  } else if (!streams) {
    delete out['content-length']
    delete out['content-type']
    if (method !== 'GET' && method !== 'HEAD') out['content-length'] = '0'
  }
  return out
}

function hasBody({ raw, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
}

function fail(reply: FastifyReply, error: Error, limits: EdgeLimits): FastifyReply {
  const cause = (error.cause ?? error) as Error & { code?: string }
  if (cause instanceof BodyTooLarge) return refuse(reply.header('connection', 'close'), TOO_LARGE, { n: shownLimit(reply.request, limits) / 1_048_576 })
  const isLate = cause.code === 'UND_ERR_HEADERS_TIMEOUT'
  return refuse(reply.header('retry-after', '2'), NOT_AVAILABLE, {}, isLate ? 503 : 502)
}

/** Reads the envelope's code off the first bytes (refusals travel under HTTP 200) and counts the rest, for log and metrics. */
function counted(request: FastifyRequest, reply: FastifyReply): (chunk: Buffer) => void {
  const isEnvelope = String(reply.getHeader('content-type') ?? '').startsWith('application/json') && reply.getHeader('content-encoding') === undefined
  return (chunk) => {
    if (request.sentBytes === 0 && isEnvelope) request.bodyCode = Number(BODY_CODE.exec(chunk.toString('latin1', 0, 24))?.[1] ?? 0)
    request.sentBytes += chunk.length
  }
}

function mayCarryFiles(request: FastifyRequest): boolean {
  return UPLOAD.test(request.headers['content-type'] ?? '') || CARRIES_PHOTOS.test(pathOf(request.raw.url ?? ''))
}
function shownLimit(request: FastifyRequest, limits: EdgeLimits): number {
  return mayCarryFiles(request) ? limits.uploadBytes : limits.jsonBytes
}
function bodyLimit(request: FastifyRequest, limits: EdgeLimits): number {
  return mayCarryFiles(request) ? limits.uploadBytes + MULTIPART_FRAME : limits.jsonBytes
}
