/** Who may open a socket: a page of our own origin, not too often, with a session manage knows. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'socket.io'
import { type Envelope, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import type { TokenBuckets } from '#gateway/edge/limits.ts'
import type { Handshake } from './connection.ts'

type Verdict = (message: string | null | undefined, allowed: boolean) => void

export interface OriginRules {
  /** null = the origin must name the host that was asked */
  publicOrigins: readonly string[] | null
  perIp: TokenBuckets
  addressOf: AddressOf
  now: () => number
  isDraining: () => boolean
}

/**
 * For Socket.IO's `allowRequest`, before the upgrade: a missing or foreign Origin is answered 403.
 * The client sees a refusal here as a transport error, so it tries again by itself, at another
 * edge.
 */
export function originCheck(
  rules: OriginRules,
): (request: IncomingMessage, verdict: Verdict) => void {
  return (request, verdict) => {
    const status = refusalOf(request, rules)
    // Engine.IO answers every refused upgrade with 400, so the real status is written before it
    // gets to.
    if (status !== null)
      request.socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    verdict(status, status === null)
  }
}

function refusalOf(request: IncomingMessage, rules: OriginRules): string | null {
  if (!isOwnOrigin(request, rules.publicOrigins)) return '403 Forbidden'
  if (rules.isDraining()) return '503 Service Unavailable'
  return rules.perIp.take(rules.addressOf(request), rules.now()) > 0
    ? '429 Too Many Requests'
    : null
}

function isOwnOrigin(request: IncomingMessage, publicOrigins: readonly string[] | null): boolean {
  const { origin, host } = request.headers
  if (!origin || !host) return false
  if (publicOrigins) return publicOrigins.includes(origin)
  try {
    const parsed = new URL(origin)
    return (
      (parsed.protocol === 'http:' || parsed.protocol === 'https:') &&
      parsed.host === new URL(`${parsed.protocol}//${host}`).host
    )
  } catch {
    return false
  }
}

/** What the client brought; null without a usable token. */
export function readHandshake(socket: Socket, addressOf: AddressOf): Handshake | null {
  const { token } = socket.handshake.auth as { token?: unknown }
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(token)) return null
  const { cookie, 'sec-fetch-site': fetchSite } = socket.handshake.headers
  return {
    token,
    cookie,
    fetchSite: typeof fetchSite === 'string' ? fetchSite : undefined,
    address: addressOf(socket.request),
  }
}

/** A refusal in the form Socket.IO passes on: `connect_error` with `data {code, msg, problem}`. */
export function refusedConnect(
  envelope: Envelope<null> = problemBody(SESSION_EXPIRED),
): Error & { data: Omit<Envelope<null>, 'data'> } {
  const { code, msg, problem } = envelope
  return Object.assign(new Error(msg), { data: { code, msg, ...(problem ? { problem } : {}) } })
}
