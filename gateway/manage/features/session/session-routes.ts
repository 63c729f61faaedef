import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { verifyLogin } from '#shared/session/account-api.ts'
import { WATCH_KINDS, type WatchKind } from '#shared/kernel/live.ts'
import { BAD_REQUEST, Problem } from '#shared/kernel/problem.ts'
import {
  currentRole,
  liveRooms,
  login,
  logout,
  serverTime,
  sidebar,
  userInfo,
} from '#shared/session/session-api.ts'
import { isLanguage } from '#shared/kernel/languages.ts'
import { clockShift } from '#gateway/kernel/shifted-clock.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveOpen, serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { addressOf, BIND_COOKIES, idleMinutesOf, isOverTls, mustEnrol } from './authenticate.ts'
import { endSessions } from './end-sessions.ts'
import { logIn } from './log-in.ts'
import { landingOf, menuTree } from './menu-queries.ts'
import type { Caller, LoggedIn } from './open-session.ts'
import type { SessionRow } from './session-store.ts'
import { answerChallenge } from './two-factor/challenge.ts'

const MOST_WATCHED = 20
const MOST_ROWS = 100

export interface SessionRoutesOptions {
  audiences: readonly Audience[]
  onLogout: readonly OnLogout[]
}

/** Releases what the session held, in the transaction of the logout. */
export type OnLogout = (tx: CommandTx, userId: string) => Promise<void>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    onLogout: OnLogout
  }
}

export function sessionRoutes(
  app: FastifyInstance,
  context: AppContext,
  options: SessionRoutesOptions,
): void {
  const open = (
    request: FastifyRequest,
    reply: FastifyReply,
    { token, bind }: LoggedIn,
  ): { token: string } => {
    const secure = isOverTls(request)
    if (bind !== null)
      void reply.setCookie(secure ? BIND_COOKIES[0] : BIND_COOKIES[1], bind, {
        httpOnly: true,
        secure,
        sameSite: 'strict',
        path: '/',
      })
    return { token }
  }
  serveOpen(app, context, login, async (request, reply, input) => {
    const answer = await logIn(context, {
      ...input,
      ...callerOf(request),
      bound: isBrowser(request),
    })
    return 'challenge' in answer
      ? { needCode: true as const, challenge: answer.challenge }
      : open(request, reply, answer)
  })
  serveOpen(app, context, verifyLogin, async (request, reply, input) =>
    open(
      request,
      reply,
      await answerChallenge(context, { ...input, ...callerOf(request), bound: isBrowser(request) }),
    ),
  )

  serveQuery(app, context, userInfo, async ({ db, actor }, _input, request) => {
    const row = request.session as SessionRow
    const menu = await menuTree(db, row.role_id, actor.rights)
    return {
      menu,
      roleFlag: row.role_flag,
      user: {
        userId: row.user_id,
        userName: row.user_name,
        avatar: row.avatar_file_id,
        introduction: row.introduction,
        account: row.account,
        loginTime: row.login_at,
        idleMinutes: await idleMinutesOf(context, row.role_mark),
        country: row.country,
        language: isLanguage(row.language) ? row.language : 'en',
        mustChange: row.must_change,
        mustEnrol: await mustEnrol(context, row),
        roles: [row.role_mark],
        landing: landingOf(row.landing, menu),
        scope: {
          kind: actor.rights.scope,
          agencyId: row.agency_id,
          departmentId: row.department_id,
          groupId: row.group_id,
        },
      },
    }
  })

  serveQuery(app, context, serverTime, async ({ db }, _input, request) => {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
    return {
      time: (rows[0] as { now: string }).now,
      country: request.session?.country ?? (await context.parameters.text('country')),
      demo: clockShift() !== 0,
    }
  })

  serveQuery(app, context, currentRole, async ({ actor }, _input, request) => {
    const row = request.session as SessionRow
    return {
      roleId: row.role_id,
      roleName: row.role_name,
      uniqueMark: row.role_mark,
      status: row.role_status,
      dataScope: actor.rights.scope,
      permissions: [...actor.rights.permissions].toSorted(),
    }
  })

  serveQuery(app, context, sidebar, async ({ db, actor }, _input, request) => ({
    menu: await menuTree(db, (request.session as SessionRow).role_id, actor.rights),
  }))

  serveCommand(app, context, logout, async (tx) => {
    const actor = staff(tx.actor)
    await endSessions(tx, actor.userId, 'logout', { only: actor.sessionId })
    for (const release of options.onLogout) await release(tx, actor.userId)
    tx.log({ action: 'logout', targetKind: 'session', targetId: actor.sessionId })
    return null
  })

  serveQuery(app, context, liveRooms, async ({ db, actor }, { watch, rows }, request) => {
    const rooms = new Set(actor.screen ? actor.screen.rooms : roomsOf(actor, options.audiences))
    const refused: string[] = []
    for (const watchKey of listed(watch, MOST_WATCHED)) {
      const room = actor.screen ? null : await watchedRoom(db, actor, options.audiences, watchKey)
      if (room === null) refused.push(watchKey)
      else rooms.add(room)
    }
    const seen = actor.screen
      ? []
      : await rowsSeen(db, actor, options.audiences, listed(rows, MOST_ROWS))
    const watchable = new Set<string>(
      options.audiences.flatMap(({ watchedRows = [] }) => watchedRows),
    )
    for (const row of seen) if (watchable.has(row.slice(0, row.indexOf(':')))) rooms.add(row)
    return {
      userId: actor.userId,
      userName: actor.userName,
      // a wall screen has no session
      avatar: request.session?.avatar_file_id ?? null,
      sessionId: actor.sessionId,
      circle: actor.rights.isOutside ? actor.rights.agencyId : null,
      rooms: [...rooms],
      refused,
      rows: seen,
    }
  })
}

function callerOf(request: FastifyRequest): Caller {
  return {
    ip: addressOf(request),
    agent: request.headers['user-agent']?.slice(0, 200) ?? null,
    requestId: request.id,
  }
}

function isBrowser(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] !== undefined
}

/** @throws Problem G400 when there are more than `most` */
function listed(text: string | undefined, most: number): string[] {
  if (!text) return []
  const keys = [...new Set(text.split(','))]
  if (keys.length > most) throw new Problem(BAD_REQUEST)
  return keys
}

function roomsOf(actor: StaffActor, audiences: readonly Audience[]): string[] {
  const { scope, roleMark, agencyId, departmentId, groupId } = actor.rights
  const rooms = ['all', `user:${actor.userId}`, `role:${roleMark}`]
  if (scope === 'all') rooms.push('scope:all')
  if (scope === 'agency' && agencyId) rooms.push(`scope:agency:${agencyId}`)
  if (scope === 'department' && departmentId) rooms.push(`scope:dept:${departmentId}`)
  if (scope === 'group' && groupId) rooms.push(`scope:group:${groupId}`)
  for (const audience of audiences) rooms.push(...(audience.rooms?.(actor) ?? []))
  return rooms
}

async function watchedRoom(
  db: Db,
  actor: StaffActor,
  audiences: readonly Audience[],
  watchKey: string,
): Promise<string | null> {
  const at = watchKey.indexOf(':')
  const kind = watchKey.slice(0, at)
  const key = watchKey.slice(at + 1)
  if (
    at < 1 ||
    !(WATCH_KINDS as readonly string[]).includes(kind) ||
    !/^[A-Za-z0-9._-]{1,64}$/.test(key)
  )
    return null
  // `menu.part` is a part of a screen with viewers of its own
  if (kind === 'menu')
    return actor.rights.permissions.has(`${key.split('.')[0]}:view`) ? `menu:${key}` : null
  for (const audience of audiences) {
    const enter = audience.watch?.[kind as WatchKind]
    if (enter) return enter(db, actor, key)
  }
  return null
}

async function rowsSeen(
  db: Db,
  actor: StaffActor,
  audiences: readonly Audience[],
  watchKeys: readonly string[],
): Promise<string[]> {
  const seen: string[] = []
  for (const kind of WATCH_KINDS) {
    const keys = watchKeys
      .filter((one) => one.startsWith(`${kind}:`))
      .map((one) => one.slice(kind.length + 1))
    const see = audiences.find((audience) => audience.rows?.[kind])?.rows?.[kind]
    if (keys.length > 0 && see)
      seen.push(...(await see(db, actor, keys)).map((key) => `${kind}:${key}`))
  }
  return seen
}
