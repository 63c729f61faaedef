/**
 * Header token → actor. A short cache saves the look-up on every call. A revocation in this process
 * clears it at once, one in another process when its event arrives, and at the latest after the
 * cache's lifetime, which is below one second. An endpoint that is `uncached` always reads the
 * database: the edge asks it because another core may just have taken rights away.
 */
import { timingSafeEqual } from 'node:crypto'
import '@fastify/cookie'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { DataScope } from '#shared/kernel/permission.ts'
import { FORBIDDEN, Problem, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import {
  ACCOUNT_DISABLED,
  ACCOUNT_FROZEN,
  CHANGE_PASSWORD_FIRST,
  ENROL_FIRST,
  ROLE_DISABLED,
} from '#shared/session/session-problems.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Authenticator } from '#gateway/manage/kernel/feature.ts'
import type { ScreenAuth } from '#gateway/manage/kernel/screen-auth.ts'
import { endSessions } from './end-sessions.ts'
import {
  findSession,
  hashOf,
  rotateSession,
  type SessionRow,
  touchSession,
} from './session-store.ts'

const CACHE_MS = 700
const CACHE_MAX = 5_000
export const BIND_COOKIES = ['__Host-bind', 'bind'] as const

declare module 'fastify' {
  interface FastifyRequest {
    session: SessionRow | null
  }
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    screens: ScreenAuth
  }
}

/** @param screens accept wall screens */
export function authenticate(
  app: FastifyInstance,
  context: AppContext,
  screens: readonly ScreenAuth[],
): Authenticator {
  const cache = new Map<string, { at: number; row: SessionRow }>()
  let forgotten = 0

  async function sessionOf(token: string, uncached: boolean): Promise<SessionRow | null> {
    const cached = uncached ? undefined : cache.get(token)
    if (cached && performance.now() - cached.at < CACHE_MS) return cached.row
    const before = forgotten
    const row = await findSession(
      context.database,
      token,
      await context.parameters.int('session.renewMinutes'),
    )
    if (!row || row.over) cache.delete(token)
    if (!row) return null
    // read before a cache entry was removed: it may be that entry
    if (before !== forgotten) return row
    if (cache.size >= CACHE_MAX) cache.clear()
    // a row due for renewal is not cached, because the next call must see the renewal
    if (!row.over && !row.is_previous && !row.due_for_renewal)
      cache.set(token, { at: performance.now(), row })
    return row
  }

  app.decorateRequest('actor', null)
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request, reply) => {
    const e = request.routeOptions.config?.endpoint
    if (!e || e.access === 'none' || (typeof e.access === 'object' && 'machine' in e.access)) return
    const token = request.headers.authorization
    if (!token || token.length > 200) throw new Problem(SESSION_EXPIRED)
    const screen = screens.find(({ prefix }) => token.startsWith(prefix))
    if (screen) {
      const entered = await screen.enter(request, token, { passive: e.passive === true })
      if (!entered) throw new Problem(SESSION_EXPIRED)
      if (!e.screens) throw new Problem(FORBIDDEN)
      request.actor = entered.actor
      if (entered.renewed !== null) reply.header('authorization', entered.renewed)
      return
    }
    const row = await sessionOf(token, e.uncached === true)
    if (!row || row.over || !isBound(row, request)) throw new Problem(SESSION_EXPIRED)
    // a socket may still use the token it was opened with; a call without effects does not prove
    // that the token was copied
    if (row.is_previous && row.grace_over && !e.passive) {
      // a token used after its grace period was copied: the whole session ends
      await runCommand(
        context,
        {
          actor: actorOf(row, request),
          audit: { action: 'tokenReuse', targetKind: 'session', targetId: row.id },
        },
        (tx) => endSessions(tx, row.user_id, 'reuse', { only: row.id }),
      )
      throw new Problem(SESSION_EXPIRED)
    }
    refuseClosedAccount(row)
    if (!e.unsettled) await refuseUnsettled(context, row)
    request.session = row
    request.actor = actorOf(row, request)
    if (!e.passive)
      await keepAlive(context, row, reply, cache, token, {
        isBackground: request.headers['x-background'] === '1',
      })
  })

  return {
    forget(userId) {
      forgotten += 1
      if (userId === null) cache.clear()
      else for (const [token, { row }] of cache) if (row.user_id === userId) cache.delete(token)
    },
  }
}

/** Minutes without a call after which a session of this role ends; fewer for administrators. */
export function idleMinutesOf(context: AppContext, roleMark: string): Promise<number> {
  return context.parameters.int(
    roleMark === ADMINISTRATOR ? 'session.idleMinutesAdmin' : 'session.idleMinutes',
  )
}

async function keepAlive(
  context: AppContext,
  row: SessionRow,
  reply: FastifyReply,
  cache: Map<string, unknown>,
  token: string,
  { isBackground }: { isBackground: boolean },
): Promise<void> {
  // the answer with the renewed token may be lost, so a call with the old token gets the new one
  // again
  if (row.is_previous) return sendToken(context, reply, row, row.rotation)
  // background calls of a tab move neither the idle limit nor the token; a caller gains nothing by
  // claiming to be one
  if (isBackground || !(row.due_for_renewal || row.seen_long_ago)) return
  const idle = await idleMinutesOf(context, row.role_mark)
  const absolute = await context.parameters.int('session.absoluteHours')
  cache.delete(token)
  if (!row.due_for_renewal) return touchSession(context.database.kysely, row.id, idle, absolute)
  const next = row.rotation + 1
  const fresh = renewedToken(context, row.id, next)
  // a concurrent call that was faster made the same token
  await rotateSession(context.database.kysely, row.id, row.rotation, fresh, idle, absolute)
  sendToken(context, reply, { id: row.id, token_hash: hashOf(fresh) }, next)
}

/**
 * The n-th token of a session is derived from the master key, so that concurrent answers name the
 * same token while only its hash is stored.
 */
function renewedToken(context: AppContext, sessionId: string, rotation: number): string {
  return context.secrets.sign('session-token', `${sessionId}:${rotation}`)
}

function sendToken(
  context: AppContext,
  reply: FastifyReply,
  session: Pick<SessionRow, 'id' | 'token_hash'>,
  rotation: number,
): void {
  const token = renewedToken(context, session.id, rotation)
  // a changed master key derives another token; the old one is then valid for its grace period
  if (hashOf(token).equals(session.token_hash))
    reply.header('authorization', token).header('x-token-rotation', String(rotation))
}

/**
 * A browser session is bound to an HttpOnly cookie, so that a copied token alone does not work
 * elsewhere.
 */
function isBound(row: SessionRow, request: FastifyRequest): boolean {
  if (row.bind_hash === null) return true
  const given = BIND_COOKIES.map((name) => request.cookies[name]).find(
    (value) => value !== undefined,
  )
  return given !== undefined && timingSafeEqual(hashOf(given), row.bind_hash)
}

/** @throws Problem when the account or its role was disabled since the login */
export function refuseClosedAccount(row: { user_status: string; role_status: string }): void {
  if (row.user_status === 'disabled') throw new Problem(ACCOUNT_DISABLED)
  if (row.user_status === 'frozen') throw new Problem(ACCOUNT_FROZEN)
  if (row.role_status !== 'enabled') throw new Problem(ROLE_DISABLED)
}

/** @throws Problem when the account must change its password or set up two-factor login first */
async function refuseUnsettled(context: AppContext, row: SessionRow): Promise<void> {
  if (row.must_change) throw new Problem(CHANGE_PASSWORD_FIRST)
  if (await mustEnrol(context, row)) throw new Problem(ENROL_FIRST)
}

export async function mustEnrol(
  context: AppContext,
  account: { two_factor: boolean },
): Promise<boolean> {
  return (
    !account.two_factor && (await context.parameters.text('login.twoFactorRequired')) === 'true'
  )
}

function actorOf(row: SessionRow, request: FastifyRequest): StaffActor {
  const clientId = request.headers['x-client-id']
  return {
    userId: row.user_id,
    userName: row.user_name,
    rights: {
      roleMark: row.role_mark,
      permissions: new Set(row.permissions),
      scope: row.data_scope as DataScope,
      agencyId: row.agency_id,
      isOutside: row.is_outside,
      departmentId: row.department_id,
      groupId: row.group_id,
    },
    sessionId: row.id,
    ip: addressOf(request),
    agent: request.headers['user-agent']?.slice(0, 200) ?? null,
    clientId:
      typeof clientId === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(clientId) ? clientId : null,
    requestId: request.id,
  }
}

/** The edge sends the peer's address; only edges connect to manage. */
export function addressOf(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-for']
  return (typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined) ?? request.ip
}

/** Only edges connect to manage, and they say how the browser reached them. */
export function isOverTls(request: FastifyRequest): boolean {
  return request.headers['x-forwarded-proto'] === 'https'
}

/** Expired sessions, for the sweep. */
export async function runOutSessions(
  context: AppContext,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    select s.id, s.user_id from sys_session s where s.revoked_at is null
      and s.expires_at <= clock_timestamp() order by s.expires_at limit 500`.execute(
    context.database.kysely,
  )
  return rows
}
