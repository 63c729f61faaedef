/** Callers over kept-alive connections, each with one request under way. */
import { randomUUID } from 'node:crypto'
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { serveBench } from './child.ts'
import { Line } from './line.ts'

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
