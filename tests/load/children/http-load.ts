/** The same request again and again, each caller with its own token. */
import { randomUUID } from 'node:crypto'
import { callAll, type CallersResult } from './callers.ts'
import { serveBench } from './child.ts'

export interface HttpLoad {
  url: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** One per caller in turn; none for a server without sessions. */
  tokens: string[]
  callers: number
  ms: number
  /** Whether each request has its own idempotency key, as our client's commands do. */
  withKey?: boolean
  /** Pause of a caller between an answer and the next request. */
  pauseMs?: number
}

serveBench({ start: () => null, run })

function run({
  url,
  method,
  path,
  body,
  tokens,
  callers,
  ms,
  withKey = false,
  pauseMs = 0,
}: HttpLoad): Promise<CallersResult> {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const sized =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n`
  const headersOf = (caller: number) =>
    `${sized}${tokens.length === 0 ? '' : `authorization: ${tokens[caller % tokens.length]}\r\n`}`
  return callAll({
    url,
    callers,
    ms,
    pauseMs,
    request: (caller) => ({
      line: `${method} ${path}`,
      headers: `${headersOf(caller)}${withKey ? `idempotency-key: ${randomUUID()}\r\n` : ''}`,
      body: payload,
    }),
  })
}
