/** Callers over kept-alive connections, each with one request under way, and what they were answered. */
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { Line } from './line.ts'

export interface CallersWanted {
  url: string
  callers: number
  ms: number
  /** What a caller waits between an answer and his next request. */
  pauseMs?: number
  /** The next request, as text, without its Host line. */
  request: (caller: number) => { line: string; headers: string; body: string }
}

export interface CallersResult {
  ok: number
  perSecond: number
  latencyMs: Spread
  /** Of one answer. */
  bytes: number
  /** The first answer that was not good, and how many were not. */
  refused: { count: number; first: string | null }
}

/** @returns once every caller has heard the answer to his last request */
export async function callAll({
  url,
  callers,
  ms,
  pauseMs = 0,
  request,
}: CallersWanted): Promise<CallersResult> {
  const { hostname, port } = new URL(url)
  const latencies: number[] = []
  const refused = { count: 0, first: null as string | null }
  let bytes = 0
  const begin = sharedNow()

  async function call(n: number): Promise<void> {
    const line = new Line(hostname, Number(port))
    while (sharedNow() - begin < ms) {
      const { line: first, headers, body } = request(n)
      const text = `${first} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}\r\n${body}`
      const sentAt = sharedNow()
      // a server may end a kept connection after so many requests just as the next one is sent
      const answer = await line
        .ask(text)
        .catch((error: unknown) => ({ start: String(error), size: 0 }))
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
  await Promise.all(Array.from({ length: callers }, (_, n) => call(n)))
  return {
    ok: latencies.length,
    perSecond: latencies.length / ((sharedNow() - begin) / 1_000),
    latencyMs: spreadOf(latencies),
    bytes,
    refused,
  }
}
