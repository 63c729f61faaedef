import { sql } from 'kysely'
import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import type { approvePairing as call, BoardSettings } from '#shared/wall/wall-api.ts'
import { CODE_UNKNOWN } from '#shared/wall/wall-problems.ts'
import { PAIR_UNITS, type PairUnit } from '#shared/wall/wall-sets.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { narrowed } from '../board-scope.ts'
import { activateBoard, emitBoard } from '../board-store.ts'
import { codeHash } from './pairing-code.ts'

/** @throws Problem B-CODE, G404 for a unit out of scope, G-FIELD for a stage that does not exist */
export async function approvePairing(
  tx: CommandTx,
  { code, name, agencyId, stageId, profile, language }: InputOf<typeof call>,
): Promise<{ boardId: string }> {
  const actor = staff(tx.actor)
  const { unit, id: unitId } = await narrowed(tx.db, actor, agencyId)
  if (!isPairUnit(unit) || (unit !== 'all' && unitId === null)) throw new Problem(FORBIDDEN)
  if (stageId !== undefined) {
    const { rows } =
      await sql`select from stage s where s.stage_id = ${stageId} and s.status = 'enabled'`.execute(
        tx.db,
      )
    if (rows.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { stageId: 'enum' } })
  }
  const { rows } = await sql<{ id: string; settings: BoardSettings; valid: boolean }>`
    select d.id, d.settings, d.code_until > clock_timestamp() as valid from board_device d
      where d.state = 'waiting' and d.code_hash = ${codeHash(tx.context.secrets, code)} for update`.execute(
    tx.db,
  )
  const waiting = rows[0]
  if (!waiting || !boardLifecycle.can('waiting', { type: 'APPROVE', codeValid: waiting.valid }))
    throw new Problem(CODE_UNKNOWN)
  const state = boardLifecycle.next('waiting', { type: 'APPROVE', codeValid: waiting.valid })
  const settings = { ...waiting.settings, profile, language: language ?? waiting.settings.language }
  const hours = Number(await parameterIn(tx.db, 'session.boardHours'))
  const version = await activateBoard(tx, {
    id: waiting.id,
    name,
    unit,
    unitId,
    stageId: stageId ?? null,
    settings,
    hours,
    by: actor,
  })
  emitBoard(tx, { id: waiting.id, state, version })
  tx.log({
    action: 'pair',
    targetKind: 'board',
    targetId: waiting.id,
    after: { name, unit, unitId, stageId: stageId ?? null, profile },
  })
  return { boardId: waiting.id }
}

function isPairUnit(unit: string): unit is PairUnit {
  return (PAIR_UNITS as readonly string[]).includes(unit)
}
