/** The same request again and again, each caller under a token of his own. */
import { randomUUID } from 'node:crypto'
import { callAll, type CallersResult } from './callers.ts'
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
