/**
 * Calls manage over kept connections. What a core did not look at (no connection, closing) is asked
 * again at another one; what a core may have begun (connection lost, core silent) only when
 * repeating it has no second effect. An answer with a small Content-Length comes as one buffer,
 * which is written together with its headers; any other is streamed. Streams for small answers were
 * a third of the cost of a call through the edge.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { UNREAD_HEADER } from '#shared/kernel/endpoint.ts'
import type { Core, Cores } from '#gateway/edge/cores.ts'
import type { EdgeLimits } from '#gateway/edge/limits.ts'

export interface ManageAnswer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer | Readable
}

export type ManageCall = Dispatcher.DispatchOptions & {
  /** Whether it may be carried out twice: a read, or a call under a key. */
  isRepeatable: boolean
  /** Aborted when nobody waits for the answer: the core may stop too. */
  gone?: AbortSignal
}

/** Called once: with the answer, whole or as a stream, or with why there is none. */
type Done = (given: ManageAnswer | Error) => void

/** Below it an answer is held until it is whole: at most this much for each of the connections. */
export const HELD_BYTES = 65_536

const UNREAD = ['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']
const CUT_OFF = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'CORE_SILENT']
const MOST_ATTEMPTS = 3
/** Before the last attempt: a core that starts again needs a moment. */
const LAST_AFTER_MS = 250

class CoreSilent extends Error {
  override readonly name = 'CoreSilent'
  readonly code = 'CORE_SILENT'
}

/** The caller went away before the answer came. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

export class ManageClient {
  readonly #cores: Cores
  readonly #limits: EdgeLimits
  readonly #pools = new Map<Core, Pool>()

  constructor(cores: Cores, limits: EdgeLimits) {
    this.#cores = cores
    this.#limits = limits
    cores.onSilent((core) => {
      const pool = this.#pools.get(core)
      this.#pools.delete(core)
      void pool?.destroy(new CoreSilent('the core gives no sign of life'))
    })
  }

  send(call: ManageCall, done: Done): void {
    this.#try(call, done, 1)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  #try(call: ManageCall, done: Done, attempt: number, before?: Core): void {
    const core = this.#cores.choose(before)
    const taken: Done = (given) => {
      const isUnread = wasUnread(given)
      if (isUnread) this.#cores.refused(core)
      const mayRepeat = isUnread ? isWhole(call) : call.isRepeatable && wasCutOff(given)
      if (!mayRepeat || attempt === MOST_ATTEMPTS) return done(given)
      const again = (): void => this.#try(call, done, attempt + 1, core)
      if (attempt === MOST_ATTEMPTS - 1) setTimeout(again, LAST_AFTER_MS)
      else again()
    }
    this.#poolOf(core).dispatch(call, new AnswerReader(taken, call.method === 'HEAD', call.gone))
  }

  #poolOf(core: Core): Pool {
    const known = this.#pools.get(core)
    if (known) return known
    const options = {
      connections: this.#limits.upstreamConnections,
      pipelining: 1,
      headersTimeout: this.#limits.upstreamTimeoutMs,
      bodyTimeout: this.#limits.upstreamTimeoutMs,
    }
    const pool = core.calls.startsWith('unix:')
      ? new Pool('http://localhost', { ...options, socketPath: core.calls.slice('unix:'.length) })
      : new Pool(core.calls, options)
    this.#pools.set(core, pool)
    return pool
  }
}

/** No core looked at it: no connection, or the answer of one that is closing. */
function wasUnread(given: ManageAnswer | Error): boolean {
  return given instanceof Error
    ? UNREAD.includes((given as { code?: string }).code ?? '')
    : given.statusCode === 503 &&
        given.headers[UNREAD_HEADER] !== undefined &&
        Buffer.isBuffer(given.body)
}

/** Whether it was carried out is not known. */
function wasCutOff(given: ManageAnswer | Error): boolean {
  return given instanceof Error && CUT_OFF.includes((given as { code?: string }).code ?? '')
}

/** A body that streams can be sent once. */
function isWhole({ body }: ManageCall): boolean {
  return !(body instanceof Readable) || !(body.readableDidRead || body.destroyed)
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #done: Done
  readonly #isHead: boolean
  readonly #gone: AbortSignal | undefined
  #leave: (() => void) | undefined
  /** A small answer that is not whole yet. */
  #held: { answer: ManageAnswer; parts: Buffer[] } | null = null
  #stream: Readable | null = null

  constructor(done: Done, isHead: boolean, gone: AbortSignal | undefined) {
    this.#done = done
    this.#isHead = isHead
    this.#gone = gone
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#leave = () => controller.abort(new CallerGone('nobody waits for the answer any more'))
    if (this.#gone?.aborted) this.#leave()
    else this.#gone?.addEventListener('abort', this.#leave, { once: true })
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return
    if (
      this.#isHead ||
      Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= HELD_BYTES
    ) {
      this.#held = { answer: { statusCode, headers, body: Buffer.alloc(0) }, parts: [] }
      return
    }
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!this.#stream?.readableEnded)
          controller.abort(error ?? new Error('nobody reads the answer any more'))
        done(error)
      },
    })
    this.#done({ statusCode, headers, body: this.#stream })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held) this.#held.parts.push(chunk)
    else if (this.#stream?.push(chunk) === false) controller.pause()
  }

  onResponseEnd(): void {
    this.#settle()
    if (this.#held) {
      const { answer, parts } = this.#held
      answer.body = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      this.#done(answer)
    } else this.#stream?.push(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle()
    if (this.#stream) this.#stream.destroy(error)
    else this.#done(error)
  }

  #settle(): void {
    if (this.#leave) this.#gone?.removeEventListener('abort', this.#leave)
  }
}
