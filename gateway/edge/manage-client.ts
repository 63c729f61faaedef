/**
 * Calls manage over kept connections. An answer with a small Content-Length comes as one buffer,
 * which is written together with its headers; any other is streamed. Streams for small answers were
 * a third of the cost of a call through the edge.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import type { EdgeLimits } from '#gateway/edge/limits.ts'

export interface ManageAnswer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer | Readable
}

/** Called once: with the answer, whole or as a stream, or with why there is none. */
type Done = (given: ManageAnswer | Error) => void

/** Below it an answer is held until it is whole: at most this much for each of the connections. */
const HELD_BYTES = 65_536

export class ManageClient {
  readonly #pool: Pool

  /** @param url `http://host:port` or `unix:/path/of/socket` */
  constructor(url: string, limits: EdgeLimits) {
    const options = {
      connections: limits.upstreamConnections,
      pipelining: 1,
      headersTimeout: limits.upstreamTimeoutMs,
      bodyTimeout: limits.upstreamTimeoutMs,
    }
    this.#pool = url.startsWith('unix:')
      ? new Pool('http://localhost', { ...options, socketPath: url.slice('unix:'.length) })
      : new Pool(url, options)
  }

  ask(call: Dispatcher.DispatchOptions, done: Done): void {
    const isHead = call.method === 'HEAD'
    const first: Done = (given) => {
      // a kept connection that manage had just closed is no failure of manage: a call without
      // effect is asked once more
      if (
        given instanceof Error &&
        (given as { code?: string }).code === 'UND_ERR_SOCKET' &&
        call.method === 'GET'
      )
        this.#pool.dispatch(call, new AnswerReader(done, isHead))
      else done(given)
    }
    this.#pool.dispatch(call, new AnswerReader(first, isHead))
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #done: Done
  readonly #isHead: boolean
  /** A small answer that is not whole yet. */
  #held: { answer: ManageAnswer; parts: Buffer[] } | null = null
  #stream: Readable | null = null

  constructor(done: Done, isHead: boolean) {
    this.#done = done
    this.#isHead = isHead
  }

  /** Asked for by undici of every handler. */
  onRequestStart(): void {}

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
    if (this.#held) {
      const { answer, parts } = this.#held
      answer.body = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      this.#done(answer)
    } else this.#stream?.push(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#stream) this.#stream.destroy(error)
    else this.#done(error)
  }
}
