/** Who may open a socket: a page of our own origin, not too often, with a session manage knows. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'socket.io'
import { type Envelope, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import type { TokenBuckets } from '#gateway/edge/limits.ts'
import type { Handshake } from './seat.ts'

type Verdict = (message: string | null | undefined, allowed: boolean) => void

export interface OriginRules {
  /** null = the origin must name the host that was asked */
  publicOrigins: readonly string[] | null
  perIp: TokenBuckets
  now: () => number
  isDraining: () => boolean
}

/**
 * For Socket.IO's `allowRequest`, before the upgrade: a missing or foreign Origin is answered 403 (trust.md F9). A refusal
 * here is a transport error to the client, so it tries again by itself, at another edge.
 */
export function originCheck(rules: OriginRules): (request: IncomingMessage, verdict: Verdict) => void {
  return (request, verdict) => {
    if (!isOwnOrigin(request, rules.publicOrigins)) verdict('origin not allowed', false)
    else if (rules.isDraining()) verdict('draining', false)
    else if (rules.perIp.take(request.socket.remoteAddress ?? '', rules.now()) > 0) verdict('too many connections', false)
    else verdict(null, true)
  }
}

function isOwnOrigin(request: IncomingMessage, publicOrigins: readonly string[] | null): boolean {
  const { origin, host } = request.headers
  if (!origin || !host) return false
  if (publicOrigins) return publicOrigins.includes(origin)
  try {
    const parsed = new URL(origin)
    return (parsed.protocol === 'http:' || parsed.protocol === 'https:') && parsed.host === new URL(`${parsed.protocol}//${host}`).host
  } catch {
    return false
  }
}

/** What the client brought; null without a usable token. */
export function readHandshake(socket: Socket): Handshake | null {
  const { token } = socket.handshake.auth as { token?: unknown }
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(token)) return null
  const { cookie, 'sec-fetch-site': fetchSite } = socket.handshake.headers
  return { token, cookie, fetchSite: typeof fetchSite === 'string' ? fetchSite : undefined, address: socket.conn.remoteAddress }
}

/** A refusal in the form Socket.IO passes on: `connect_error` with `data {code, msg, problem}`. */
export function refusedConnect(envelope: Envelope<null> = problemBody(SESSION_EXPIRED)): Error & { data: Omit<Envelope<null>, 'data'> } {
  const { code, msg, problem } = envelope
  return Object.assign(new Error(msg), { data: { code, msg, ...(problem ? { problem } : {}) } })
}
