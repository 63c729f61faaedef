/**
 * Header token → actor. A short cache spares the look-up on every call; a revocation in this process empties it at once and one
 * in another process shows within the cache's life, well inside the second promised (trust.md G2).
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
import type { House } from '#gateway/manage/kernel/house.ts'
import type { ScreenDoor } from '#gateway/manage/kernel/screen-door.ts'
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

export interface Authenticator {
  forget(userId: string | null): void
}

/** @param screens who lets wall screens in; undefined = nobody does */
export function authenticate(
  app: FastifyInstance,
  house: House,
  screens?: ScreenDoor,
): Authenticator {
  const cache = new Map<string, { at: number; row: SessionRow }>()
  let forgotten = 0

  async function sessionOf(token: string): Promise<SessionRow | null> {
    const cached = cache.get(token)
    if (cached && performance.now() - cached.at < CACHE_MS) return cached.row
    const before = forgotten
    const row = await findSession(
      house.database.kysely,
      token,
      await house.parameters.int('session.renewMinutes'),
    )
    if (!row) return null
    // read before something was forgotten: it may be what was to be forgotten
    if (before !== forgotten) return row
    if (cache.size >= CACHE_MAX) cache.clear()
    // a row due for renewal is not kept: the next call must see that it was renewed
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
    if (screens && token.startsWith(screens.prefix)) {
      const entered = await screens.enter(request, token, { passive: e.passive === true })
      if (!entered) throw new Problem(SESSION_EXPIRED)
      if (!e.screens) throw new Problem(FORBIDDEN)
      request.actor = entered.actor
      if (entered.renewed !== null) reply.header('authorization', entered.renewed)
      return
    }
    const row = await sessionOf(token)
    if (!row || row.over || !isBound(row, request)) throw new Problem(SESSION_EXPIRED)
    // a socket may ask with the token it was opened with; what changes nothing is no proof of a copied token
    if (row.is_previous && row.grace_over && !e.passive) {
      // a token used after its grace was copied: the whole session ends
      await runCommand(
        house,
        {
          actor: actorOf(row, request),
          audit: { action: 'tokenReuse', targetKind: 'session', targetId: row.id },
        },
        (cx) => endSessions(cx, row.user_id, 'reuse', { only: row.id }),
      )
      throw new Problem(SESSION_EXPIRED)
    }
    refuseClosedAccount(row)
    if (!e.unsettled) await refuseUnsettled(house, row)
    request.session = row
    request.actor = actorOf(row, request)
    if (!e.passive)
      await keepAlive(house, row, reply, cache, token, {
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

/** Minutes without a call after which a session of this role ends: shorter for administrators (trust.md G1). */
export function idleMinutesOf(house: House, roleMark: string): Promise<number> {
  return house.parameters.int(
    roleMark === ADMINISTRATOR ? 'session.idleMinutesAdmin' : 'session.idleMinutes',
  )
}

async function keepAlive(
  house: House,
  row: SessionRow,
  reply: FastifyReply,
  cache: Map<string, unknown>,
  token: string,
  { isBackground }: { isBackground: boolean },
): Promise<void> {
  // the answer that renewed the token may be lost on its way: who still comes with the old one is told again
  if (row.is_previous) return tellToken(house, reply, row, row.rotation)
  // what a tab asks by itself moves neither the idle limit nor the token: it may say so, and gains nothing by saying it
  if (isBackground || !(row.due_for_renewal || row.seen_long_ago)) return
  const idle = await idleMinutesOf(house, row.role_mark)
  const absolute = await house.parameters.int('session.absoluteHours')
  cache.delete(token)
  if (!row.due_for_renewal) return touchSession(house.database.kysely, row.id, idle, absolute)
  const next = row.rotation + 1
  const fresh = renewedToken(house, row.id, next)
  // when a parallel call was first, it made the same token
  await rotateSession(house.database.kysely, row.id, row.rotation, fresh, idle, absolute)
  tellToken(house, reply, { id: row.id, token_hash: hashOf(fresh) }, next)
}

/** The n-th token of a session follows from the master key, so that every parallel answer can name the same one while only its hash is stored. */
function renewedToken(house: House, sessionId: string, rotation: number): string {
  return house.secrets.sign('session-token', `${sessionId}:${rotation}`)
}

function tellToken(
  house: House,
  reply: FastifyReply,
  session: Pick<SessionRow, 'id' | 'token_hash'>,
  rotation: number,
): void {
  const token = renewedToken(house, session.id, rotation)
  // a master key that changed meanwhile makes another token: then the old one serves its grace
  if (hashOf(token).equals(session.token_hash))
    reply.header('authorization', token).header('x-token-rotation', String(rotation))
}

/** A browser's session is tied to its HttpOnly cookie, so that a token alone is worth nothing elsewhere. */
function isBound(row: SessionRow, request: FastifyRequest): boolean {
  if (row.bind_hash === null) return true
  const given = BIND_COOKIES.map((name) => request.cookies[name]).find(
    (value) => value !== undefined,
  )
  return given !== undefined && timingSafeEqual(hashOf(given), row.bind_hash)
}

/** @throws Problem when the account or its role was closed since the sign-in */
export function refuseClosedAccount(row: { user_status: string; role_status: string }): void {
  if (row.user_status === 'disabled') throw new Problem(ACCOUNT_DISABLED)
  if (row.user_status === 'frozen') throw new Problem(ACCOUNT_FROZEN)
  if (row.role_status !== 'enabled') throw new Problem(ROLE_DISABLED)
}

/** @throws Problem when the account must change its password or set up its second step first */
async function refuseUnsettled(house: House, row: SessionRow): Promise<void> {
  if (row.must_change) throw new Problem(CHANGE_PASSWORD_FIRST)
  if (await mustEnrol(house, row)) throw new Problem(ENROL_FIRST)
}

export async function mustEnrol(house: House, account: { two_factor: boolean }): Promise<boolean> {
  return !account.two_factor && (await house.parameters.text('login.twoFactorRequired')) === 'true'
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

/** The edge writes the peer's address; manage listens to edges only. */
export function addressOf(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-for']
  return (typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined) ?? request.ip
}

/** Sessions whose time has run out, for the sweep. */
export async function runOutSessions(house: House): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    select s.id, s.user_id from sys_session s where s.revoked_at is null and s.expires_at <= clock_timestamp() order by s.expires_at limit 500`.execute(
    house.database.kysely,
  )
  return rows
}
