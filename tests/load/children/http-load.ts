/**
 * Callers over kept-alive connections, each with one request under way. Bare sockets with the little of HTTP they need: on two
 * processors whatever the callers burn is taken from the server, and a client of node:http burns as much as the server's hop.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { serveBench } from './child.ts'

export interface HttpLoad {
  url: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** One per caller in turn; none for a server that asks for none. */
  tokens: string[]
  callers: number
  ms: number
  /** Whether each request carries a key of its own, as our client's commands do. */
  withKey?: boolean
  /** What a caller waits between an answer and his next request. */
  pauseMs?: number
}

export interface HttpLoadResult {
  ok: number
  perSecond: number
  latencyMs: Spread
  /** Of one answer. */
  bytes: number
  /** The first answer that was not good, and how many were not. */
  refused: { count: number; first: string | null }
}

serveBench({ start: () => null, run })

async function run({ url, method, path, body, tokens, callers, ms, withKey = false, pauseMs = 0 }: HttpLoad): Promise<HttpLoadResult> {
  const { hostname, port } = new URL(url)
  const payload = body === undefined ? '' : JSON.stringify(body)
  const sized = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n`
  const latencies: number[] = []
  const refused = { count: 0, first: null as string | null }
  let bytes = 0
  const begin = sharedNow()

  async function caller(n: number): Promise<void> {
    const token = tokens[n % tokens.length]
    const line = new Line(hostname, Number(port))
    const asked = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${sized}${token === undefined ? '' : `authorization: ${token}\r\n`}`
    while (sharedNow() - begin < ms) {
      const sentAt = sharedNow()
      // a server may end a kept connection after so many requests just as the next one is sent
      const answer = await line.ask(`${asked}${withKey ? `idempotency-key: ${randomUUID()}\r\n` : ''}\r\n${payload}`).catch((error: unknown) => ({ start: String(error), size: 0 }))
      bytes = answer.size
      if (answer.start.startsWith('{"code":200')) latencies.push(sharedNow() - sentAt)
      else {
        refused.count += 1
        refused.first ??= answer.start
      }
      if (pauseMs > 0) await new Promise((resume) => setTimeout(resume, pauseMs))
    }
    line.close()
  }
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  const seconds = (sharedNow() - begin) / 1_000
  return { ok: latencies.length, perSecond: latencies.length / seconds, latencyMs: spreadOf(latencies), bytes, refused }
}

interface Answer {
  /** First bytes of the body. */
  start: string
  size: number
}

/** One connection, opened when it is asked and again when the server has ended it. */
class Line {
  readonly #host: string
  readonly #port: number
  #socket: Socket | null = null
  #got: Buffer = Buffer.alloc(0)
  #resolve: (answer: Answer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  async ask(request: string): Promise<Answer> {
    const socket = this.#socket ?? (await this.#open())
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #open(): Promise<Socket> {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    await once(socket, 'connect')
    socket.on('data', (chunk) => this.#take(socket, chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null
      this.#reject(new Error('the connection was ended'))
    })
    this.#got = Buffer.alloc(0)
    return (this.#socket = socket)
  }

  #take(socket: Socket, chunk: Buffer): void {
    this.#got = this.#got.length === 0 ? chunk : Buffer.concat([this.#got, chunk])
    const head = this.#got.indexOf('\r\n\r\n')
    if (head === -1) return
    const headers = this.#got.toString('latin1', 0, head + 2).toLowerCase()
    const body = this.#got.subarray(head + 4)
    const answer = headers.includes('transfer-encoding: chunked') ? chunked(body) : sizedBody(body, Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 0))
    if (answer === null) return
    this.#got = Buffer.alloc(0)
    if (headers.includes('\r\nconnection: close')) {
      this.#socket = null
      socket.destroy()
    }
    this.#resolve(answer)
  }
}

function sizedBody(body: Buffer, size: number): Answer | null {
  return body.length < size ? null : { start: body.toString('latin1', 0, 200), size }
}

/** A whole body of chunks; `size` counts their framing too. */
function chunked(body: Buffer): Answer | null {
  if (body.length < 5 || body.toString('latin1', body.length - 5) !== '0\r\n\r\n') return null
  return { start: body.toString('latin1', body.indexOf('\r\n') + 2, 200), size: body.length }
}
