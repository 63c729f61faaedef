/**
 * Resolves the token of a wall screen. The token is opaque, stored only as SHA-256, bound to the
 * HttpOnly cookie issued with it, and renewed twice a day in an answer. The previous one stays
 * valid until the new one is used, so that a lost answer does not end the screen.
 */
import { timingSafeEqual } from 'node:crypto'
import '@fastify/cookie'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { hashOf, newToken } from '#gateway/manage/features/session/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScreenAuth } from '#gateway/manage/kernel/screen-auth.ts'
import { roomOf, roomOfScreen, type Scope } from '../board-scope.ts'

export const TOKEN_PREFIX = 'wb_'
export const BIND_COOKIES = ['__Host-bind-wall', 'bind-wall'] as const
/** Minimum time between two renewals of one token: the first answer may still be on its way. */
const ANSWER_SECONDS = 60

interface Row {
  id: string
  name: string
  unit_kind: 'all' | 'agency' | 'department'
  unit_id: string | null
  stage_id: string | null
  bind_hash: Buffer | null
  is_current: boolean
  /** A previous token is still valid. */
  unproved: boolean
  due: boolean
  answer_late: boolean
  seen_long_ago: boolean
}

export function screenAuth(context: AppContext): ScreenAuth {
  return {
    prefix: TOKEN_PREFIX,
    async enter(request, token, { passive }) {
      const row = await find(context, token)
      if (!row || !isBound(row, request)) return null
      const renewed = await keep(context, row, token, passive)
      return { actor: actorOf(row, request), renewed }
    },
  }
}

async function find(context: AppContext, token: string): Promise<Row | null> {
  const hash = hashOf(token)
  const { rows } = await sql<Row>`
    select d.id, d.name, d.unit_kind, d.unit_id, d.stage_id, d.bind_hash,
      d.token_hash = ${hash} as is_current, d.poll_hash is not null
      or d.previous_hash is not null as unproved,
      d.rotated_at < clock_timestamp() - interval '12 hours' as due,
        d.rotated_at < clock_timestamp() - make_interval(secs => ${ANSWER_SECONDS}) as answer_late,
      coalesce(d.last_seen_at < clock_timestamp() - interval '30 seconds', true) as seen_long_ago
    from board_device d where d.state = 'active' and d.expires_at > clock_timestamp()
      and (d.token_hash = ${hash} or d.previous_hash = ${hash})`.execute(context.database.kysely)
  return rows[0] ?? null
}

/** @returns the token that replaces this one, or null */
async function keep(
  context: AppContext,
  row: Row,
  token: string,
  passive: boolean,
): Promise<string | null> {
  const db = context.database.kysely
  const hash = hashOf(token)
  if (row.is_current && row.unproved)
    await sql`
      update board_device set poll_hash = null, previous_hash = null where id = ${row.id}
        and token_hash = ${hash}`.execute(db)
  if (row.seen_long_ago)
    await sql`update board_device set last_seen_at = clock_timestamp() where id = ${row.id}`.execute(
      db,
    )
  if (passive || !(row.is_current ? row.due : row.answer_late)) return null
  const fresh = TOKEN_PREFIX + newToken()
  const hours = await context.parameters.int('session.boardHours')
  const { numAffectedRows } = await sql`
    update board_device set token_hash = ${hashOf(fresh)}, previous_hash = ${hash},
      rotated_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(hours => ${hours})
    where id = ${row.id} and state = 'active' and (token_hash = ${hash} or previous_hash = ${hash})`.execute(
    db,
  )
  return numAffectedRows === 1n ? fresh : null
}

function isBound(row: Row, request: FastifyRequest): boolean {
  if (row.bind_hash === null) return true
  const given = BIND_COOKIES.map((name) => request.cookies[name]).find(
    (value) => value !== undefined,
  )
  return given !== undefined && timingSafeEqual(hashOf(given), row.bind_hash)
}

/**
 * A screen may read its unit's board and join its rooms; `screenAuth` admits it to nothing else.
 */
function actorOf(row: Row, request: FastifyRequest): StaffActor {
  const scope: Scope = { unit: row.unit_kind, id: row.unit_id, stageId: row.stage_id }
  return {
    userId: row.id,
    userName: row.name,
    rights: {
      roleMark: 'wall_screen',
      permissions: new Set(['loaned_board:view']),
      scope: row.unit_kind,
      agencyId: row.unit_kind === 'agency' ? row.unit_id : null,
      isOutside: false,
      departmentId: row.unit_kind === 'department' ? row.unit_id : null,
      groupId: null,
    },
    sessionId: row.id,
    ip: request.ip,
    agent: null,
    clientId: null,
    requestId: request.id,
    screen: { rooms: [roomOf(scope), roomOfScreen(row.id)] },
  }
}
