/** A small GET to manage by the edge itself (not for a client's call: that is proxy.ts). */
import {
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http'
import { UNREAD_HEADER } from '#shared/kernel/endpoint.ts'
import type { Line, Upstream } from '#gateway/edge/upstream.ts'

const LIMIT_MS = 5_000
const LIMIT_BYTES = 8_388_608

export interface JsonAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: unknown
}

/**
 * What one core does not answer another is asked.
 * @throws when manage cannot be reached, takes over 5 s or answers something that is not JSON
 */
export async function getJson(
  upstream: Upstream,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<JsonAnswer> {
  const first = upstream.choose()
  let failure: unknown
  try {
    const answer = await send(first, path, headers)
    if (answer.headers[UNREAD_HEADER] === undefined) return answer
    failure = new Error('the core is closing')
  } catch (error) {
    failure = error
    if ((error as { code?: string }).code === 'ECONNREFUSED') upstream.refused(first)
  }
  const other = upstream.chooseOther(first)
  if (other === null) throw failure
  return send(other, path, headers)
}

function send(
  { target, agent }: Line,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<JsonAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...target,
        agent,
        path,
        headers: { host: 'manage', accept: 'application/json', ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > LIMIT_BYTES) request.destroy(new Error('manage answered too much'))
          else chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          clearTimeout(timer)
          try {
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
            })
          } catch (err) {
            reject(err)
          }
        })
      },
    )
    const timer = setTimeout(() => request.destroy(new Error('manage is late')), LIMIT_MS)
    request.on('error', (err) => {
      clearTimeout(timer)
      reject(err)
    })
    request.end()
  })
}
