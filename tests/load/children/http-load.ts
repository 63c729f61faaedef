/** Callers over kept-alive connections, each with one request under way; raw node:http. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
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

async function run({ url, method, path, body, tokens, callers, ms, withKey = false }: HttpLoad): Promise<HttpLoadResult> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: callers, maxFreeSockets: callers })
  const payload = body === undefined ? null : JSON.stringify(body)
  const latencies: number[] = []
  const refused = { count: 0, first: null as string | null }
  let bytes = 0
  const begin = sharedNow()

  function call(token: string | undefined): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = {}
      if (token !== undefined) headers.authorization = token
      if (withKey) headers['idempotency-key'] = randomUUID()
      if (payload !== null) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) })
      const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
        let head = ''
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          if (size === 0) head = chunk.toString('latin1', 0, 200)
          size += chunk.length
        })
        answer.on('end', () => {
          bytes = size
          resolve(head)
        })
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(payload ?? undefined)
    })
  }
  async function caller(n: number): Promise<void> {
    const token = tokens[n % tokens.length]
    while (sharedNow() - begin < ms) {
      const sentAt = sharedNow()
      // a server may end a kept connection after so many requests just as the next one is sent
      const head = await call(token).catch((error: unknown) => String(error))
      if (head.startsWith('{"code":200')) latencies.push(sharedNow() - sentAt)
      else {
        refused.count += 1
        refused.first ??= head
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  const seconds = (sharedNow() - begin) / 1_000
  agent.destroy()
  return { ok: latencies.length, perSecond: latencies.length / seconds, latencyMs: spreadOf(latencies), bytes, refused }
}
