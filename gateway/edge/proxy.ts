/**
 * /api/manage/* → manage through @fastify/http-proxy. Bodies of requests and large answers are
 * streamed, never held. Around the library stand the rules that are ours: which headers pass, how
 * large a body may be, that a renewed token is noticed, and that every failure is the envelope.
 */
import { Readable, Transform, type TransformCallback } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { NOT_AVAILABLE, NOT_FOUND, TOO_LARGE } from '#shared/kernel/problem.ts'
import { refuse } from '#gateway/edge/answers.ts'
import type { Cores } from '#gateway/edge/cores.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import { sendParts, sendWhole } from '#gateway/edge/compress.ts'
import { clientHeaders, upstreamHeaders } from '#gateway/edge/headers.ts'
import type { EdgeLimits } from '#gateway/edge/limits.ts'
import {
  CallerGone,
  HELD_BYTES,
  type ManageAnswer,
  type ManageCall,
  ManageClient,
} from '#gateway/edge/manage-client.ts'
import { API_BASE, isInternalPath, pathOf } from '#gateway/edge/paths.ts'

export interface ProxyDeps {
  cores: Cores
  limits: EdgeLimits
  secure: boolean
  addressOf: AddressOf
  /** Manage renewed the session's token in an answer. */
  onRenewed: (before: string, after: string) => void
  /** May answer, or put another body in the place of the request's. */
  beforePost: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** May add headers to a short answer before it is sent. */
  answered: (request: FastifyRequest, reply: FastifyReply) => void
}

/** What a call brings that is carried out once, however often it comes: people, machines. */
const KEYS = ['idempotency-key', 'x-event-id']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const
const UPLOAD = /^multipart\/form-data\b/i
/**
 * Applications, proofs and messages bring their files inside the JSON; manage bounds each of them.
 */
const CARRIES_PHOTOS = new RegExp(`^${API_BASE}/inbound/(?:application|resubmit|proof|feedback)$`)
/** Boundaries and part headers around a file of exactly the allowed size. */
const MULTIPART_FRAME = 65_536
const BODY_CODE = /^\s*\{"code":(\d{1,5})/

export async function serveProxy(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  const { limits } = deps
  const manage = new ManageClient(deps.cores, limits)
  app.addHook('onClose', () => manage.close())
  await app.register(async (scope) => {
    scope.addHook('preParsing', (request, _reply, payload, done) => {
      const limit = bodyLimit(request, limits)
      if (Number(request.headers['content-length'] ?? 0) > limit) {
        request.raw.resume()
        done(new BodyTooLarge())
      } else
        done(
          null,
          request.headers['transfer-encoding'] === undefined
            ? payload
            : payload.pipe(new Counted(request, limit)),
        )
    })
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof BodyTooLarge)
        return refuse(reply.header('connection', 'close'), TOO_LARGE, {
          n: shownLimit(request, limits) / 1_048_576,
        })
      throw error
    })
    scope.addHook('preHandler', (request, reply, done) => {
      if (isInternalPath(pathOf(request.raw.url ?? ''))) void refuse(reply, NOT_FOUND, {}, 404)
      else if (request.method === 'POST')
        deps.beforePost(request, reply).then(() => (reply.sent ? undefined : done()), done)
      else done()
    })
    await scope.register(httpProxy, {
      // a name for the library alone: the client knows where manage is
      upstream: 'http://manage/',
      prefix: API_BASE,
      rewritePrefix: API_BASE,
      httpMethods: [...METHODS],
      handler: (request, reply, path) => {
        const { url = '', method } = request.raw
        const query = url.indexOf('?')
        const forward = (body?: Buffer): void =>
          manage.send(
            {
              path: query < 0 ? path : path + url.slice(query),
              method: method as Dispatcher.HttpMethod,
              ...outgoing(request, deps, body),
              gone: isSafe(request) ? goneOf(reply) : undefined,
            },
            (answer) => {
              if (answer instanceof Error) return void fail(reply, answer, limits)
              const before = request.headers.authorization
              const renewed = answer.headers.authorization
              if (renewed !== undefined && before !== undefined && renewed !== before)
                deps.onRenewed(before, renewed)
              pass(answer, request, reply, deps.answered)
            },
          )
        if (isHeld(request)) held(request.body as Readable, forward)
        else forward()
      },
    })
  })
}

/** Manage's answer to the client, whole or as it comes. */
function pass(
  { statusCode, headers, body }: ManageAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  answered: ProxyDeps['answered'],
): void {
  void reply.code(statusCode).headers(clientHeaders(headers))
  // what is left of an unread request would be taken for the next one
  if (!request.raw.complete) void reply.header('connection', 'close')
  const count = counted(request, reply)
  if (Buffer.isBuffer(body)) {
    count(body)
    answered(request, reply)
    sendWhole(request, reply, body)
  } else if (request.raw.aborted) body.destroy()
  else {
    sendParts(request, reply, body)
    // beside the pipe that Fastify has just attached: both receive every chunk, the pipe alone sets
    // the pace
    body.on('data', count)
  }
}

class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly statusCode = 413
}

/**
 * A body without Content-Length, cut where it passes the limit. What follows is dropped so that the
 * refusal can be read; a flood is ended.
 */
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

/**
 * What manage gets of a request: its headers, and its body as it comes, or what was put in its
 * place, or none.
 */
function outgoing(
  request: FastifyRequest,
  { secure, addressOf }: Pick<ProxyDeps, 'secure' | 'addressOf'>,
  whole: Buffer | undefined,
): Pick<ManageCall, 'headers' | 'body' | 'isRepeatable'> {
  const headers = upstreamHeaders(request.raw, request.id, secure, addressOf(request.raw))
  const { body } = request
  const isRepeatable = isSafe(request) || KEYS.some((name) => headers[name] !== undefined)
  if (whole) return { headers, body: whole, isRepeatable }
  if (body instanceof Readable && hasBody(request)) return { headers, body, isRepeatable: false }
  delete headers['content-length']
  delete headers['content-type']
  if (body !== undefined && body !== null && !(body instanceof Readable)) {
    const text = JSON.stringify(body)
    return {
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      },
      body: text,
      isRepeatable,
    }
  }
  if (!isSafe(request)) headers['content-length'] = '0'
  return { headers, body: null, isRepeatable }
}

function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Aborted when the client leaves before it has its answer. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** A small body is taken whole, so that the call can be sent a second time. */
function isHeld(request: FastifyRequest): boolean {
  return (
    request.body instanceof Readable &&
    hasBody(request) &&
    Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= HELD_BYTES
  )
}

/** Calls `take` when the body is there; a caller who went away sends nothing. */
function held(body: Readable, take: (body: Buffer) => void): void {
  const parts: Buffer[] = []
  body.on('data', (part: Buffer) => parts.push(part))
  body.on('end', () => take(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)))
}

function hasBody({ raw, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return (
    raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
  )
}

function fail(reply: FastifyReply, error: Error, limits: EdgeLimits): FastifyReply {
  if (error instanceof BodyTooLarge)
    return refuse(reply.header('connection', 'close'), TOO_LARGE, {
      n: shownLimit(reply.request, limits) / 1_048_576,
    })
  // nobody reads what is answered now
  if (error instanceof CallerGone) return refuse(reply, NOT_AVAILABLE, {}, 502)
  const { code } = error as { code?: string }
  reply.request.log.warn({ code: code ?? error.name }, 'manage gave no answer')
  const isLate = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
  return refuse(reply.header('retry-after', '2'), NOT_AVAILABLE, {}, isLate ? 503 : 502)
}

/**
 * Reads the envelope's code off the first bytes (refusals travel under HTTP 200) and counts the
 * rest, for log and metrics.
 */
function counted(request: FastifyRequest, reply: FastifyReply): (chunk: Buffer) => void {
  const isEnvelope =
    String(reply.getHeader('content-type') ?? '').startsWith('application/json') &&
    reply.getHeader('content-encoding') === undefined
  return (chunk) => {
    if (request.sentBytes === 0 && isEnvelope)
      request.bodyCode = Number(BODY_CODE.exec(chunk.toString('latin1', 0, 24))?.[1] ?? 0)
    request.sentBytes += chunk.length
  }
}

function mayCarryFiles(request: FastifyRequest): boolean {
  return (
    UPLOAD.test(request.headers['content-type'] ?? '') ||
    CARRIES_PHOTOS.test(pathOf(request.raw.url ?? ''))
  )
}
function shownLimit(request: FastifyRequest, limits: EdgeLimits): number {
  return mayCarryFiles(request) ? limits.uploadBytes : limits.jsonBytes
}
function bodyLimit(request: FastifyRequest, limits: EdgeLimits): number {
  return mayCarryFiles(request) ? limits.uploadBytes + MULTIPART_FRAME : limits.jsonBytes
}
