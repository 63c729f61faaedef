/**
 * POST /login takes username and password in the query, as specified. They are moved into the JSON
 * body before a log, a hook or manage sees the request: `rewriteUrl` runs before Fastify parses the
 * URL.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BAD_REQUEST, TOO_LARGE, TOO_MANY_REQUESTS } from '#shared/kernel/problem.ts'
import { refuse } from '#gateway/edge/answers.ts'
import { API_BASE, pathOf } from '#gateway/edge/paths.ts'
import type { SignInLimits } from '#gateway/edge/sign-in-limits.ts'

const LOGIN_PATH = `${API_BASE}/login`
/** The second step of a sign-in, counted with the first by address. */
const VERIFY_PATH = `${LOGIN_PATH}/verify`
const LOGIN_BYTES = 16_384
const MOVED = ['username', 'password'] as const

type Credentials = Partial<Record<(typeof MOVED)[number], string>>
const taken = new WeakMap<IncomingMessage, Credentials>()

/** For Fastify's `rewriteUrl`: the URL without the credentials, which wait for the login route. */
export function takeCredentials(raw: IncomingMessage & { originalUrl?: string }): string {
  const url = raw.url ?? '/'
  if (raw.method !== 'POST' || !url.includes('?') || !isPath(LOGIN_PATH, pathOf(url))) return url
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const credentials: Credentials = {}
  for (const name of MOVED) {
    const value = query.get(name)
    if (value === null) continue
    credentials[name] = value
    query.delete(name)
  }
  if (Object.keys(credentials).length === 0) return url
  taken.set(raw, credentials)
  const rest = query.toString()
  const clean = LOGIN_PATH + (rest ? `?${rest}` : '')
  // Fastify keeps the URL as it came under this name.
  raw.originalUrl = clean
  return clean
}

function isPath(wanted: string, path: string): boolean {
  try {
    return decodeURIComponent(path).replace(/\/+$/, '').toLowerCase() === wanted
  } catch {
    return false
  }
}

/** Whether a call that was answered with 200 has proved a password. */
export function isSignIn(request: FastifyRequest): boolean {
  return request.method === 'POST' && isPath(LOGIN_PATH, pathOf(request.raw.url ?? ''))
}

/**
 * Before a POST continues: a sign-in is limited and gets its credentials into the body; other calls
 * pass as they are.
 */
export function loginGate(
  limits: SignInLimits,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const path = pathOf(request.raw.url ?? '')
    if (isPath(VERIFY_PATH, path)) {
      const late = await limits.admit(request, null)
      return late > 0 ? refuse(reply, TOO_MANY_REQUESTS, { s: late }) : undefined
    }
    if (!isPath(LOGIN_PATH, path)) return undefined
    const body = await readBody(request)
    if (body === null) return refuse(reply, TOO_LARGE, { n: LOGIN_BYTES / 1_048_576 })
    const form = merged(body, taken.get(request.raw))
    if (!form) return refuse(reply, BAD_REQUEST)
    const account = typeof form.username === 'string' ? form.username.trim().toLowerCase() : ''
    const wait = await limits.admit(request, account)
    if (wait > 0) return refuse(reply, TOO_MANY_REQUESTS, { s: wait })
    request.body = form
    request.raw.headers['content-type'] = 'application/json'
    return undefined
  }
}

/** Query over body: a person who follows the specification sends the query. */
function merged(
  body: string,
  credentials: Credentials | undefined,
): Record<string, unknown> | null {
  if (body.trim() === '') return { ...credentials }
  try {
    const parsed: unknown = JSON.parse(body)
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)
      ? { ...parsed, ...credentials }
      : null
  } catch {
    return credentials ? { ...credentials } : null
  }
}

/** Null when it is larger than any login. */
async function readBody(request: FastifyRequest): Promise<string | null> {
  const stream = request.body as AsyncIterable<Buffer> | undefined | null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size <= LOGIN_BYTES) chunks.push(chunk)
  }
  return size > LOGIN_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}
