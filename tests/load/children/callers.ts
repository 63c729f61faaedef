/** Callers over kept-alive connections, each with one request under way, and their answers. */
import { sharedNow, type Spread, spreadOf } from '../measure.ts'
import { HttpConnection } from './http-connection.ts'

export interface CallersWanted {
  url: string
  callers: number
  ms: number
  /** Pause of a caller between an answer and the next request. */
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
  /** The first failed answer, and the number of failed ones. */
  refused: { count: number; first: string | null }
}

/** @returns when every caller has the answer to the last request */
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
    const line = new HttpConnection(hostname, Number(port))
    while (sharedNow() - begin < ms) {
      const { line: first, headers, body } = request(n)
      const text = `${first} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}\r\n${body}`
      const sentAt = sharedNow()
      // A server may close a kept-alive connection just as the next request is sent.
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
