/** Whose figures a board shows, and the room of its ticks. */
import { sql } from 'kysely'
import type { BoardUnit } from '#shared/wall/wall-sets.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

export interface Unit {
  unit: BoardUnit
  /** Null for `all`; null otherwise = a person whose scope names a unit they lack: nothing. */
  id: string | null
}

export interface Scope extends Unit {
  stageId: string | null
}

/** The caller's own unit; for a screen the one it was paired for. */
export function unitOf({ userId, rights }: StaffActor): Unit {
  switch (rights.scope) {
    case 'all':
      return { unit: 'all', id: null }
    case 'agency':
      return { unit: 'agency', id: rights.agencyId }
    case 'department':
      return { unit: 'department', id: rights.departmentId }
    case 'group':
      return { unit: 'group', id: rights.groupId }
    case 'own':
    case 'queue':
      return { unit: 'own', id: userId }
  }
}

/**
 * The caller's unit, or an agency inside it.
 * @throws Problem G404 for an agency outside the scope
 */
export async function narrowed(
  db: Db,
  actor: StaffActor,
  agencyId: string | undefined,
): Promise<Unit> {
  const own = unitOf(actor)
  if (agencyId === undefined || (own.unit === 'agency' && own.id === agencyId)) return own
  const { rows } = await sql`select from agency a where a.id = ${agencyId}`.execute(db)
  if (own.unit !== 'all' || rows.length === 0) throw new Problem(NOT_FOUND)
  return { unit: 'agency', id: agencyId }
}

/** `all`, `agency:A101`, `department:D101` … */
export function unitKey({ unit, id }: Unit): string {
  return unit === 'all' ? unit : `${unit}:${id ?? ''}`
}

/** The unit's key, followed by a stage. */
export function scopeKey(scope: Scope): string {
  return scope.stageId === null ? unitKey(scope) : `${unitKey(scope)}/${scope.stageId}`
}

export function scopeOf(key: string): Scope {
  const [unit = '', stageId = null] = key.split('/')
  const at = unit.indexOf(':')
  return {
    unit: (at < 0 ? unit : unit.slice(0, at)) as BoardUnit,
    id: at < 0 ? null : unit.slice(at + 1),
    stageId,
  }
}

/** Room of a scope's ticks (`board:all`, `board:agency:A101`, …). */
export function roomOf(scope: Scope): string {
  return `board:${scopeKey(scope)}`
}

/** Room of one screen: it was changed or revoked. */
export function roomOfScreen(boardId: string): string {
  return `board:screen:${boardId}`
}
