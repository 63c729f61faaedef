import { sql } from 'kysely'
import type { saveThresholds as call, Thresholds } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { narrowed, roomOf, unitKey } from '../board-scope.ts'

/**
 * Boards of the unit receive the limits at once; their effects come with the next tick.
 * @throws Problem G404 for a unit out of scope
 */
export async function saveThresholds(
  tx: CommandTx,
  { agencyId, ...limits }: InputOf<typeof call>,
): Promise<Thresholds> {
  const actor = staff(tx.actor)
  const unit = await narrowed(tx.db, actor, agencyId)
  const key = unitKey(unit)
  const { rows } = await sql<{
    before: Thresholds | null
  }>`select (select t.limits from board_threshold t where t.unit_key = ${key}) as before`.execute(
    tx.db,
  )
  await sql`
    insert into board_threshold (unit_key, limits, updated_by, updated_at)
      values (${key}, ${JSON.stringify(limits)}::jsonb, ${actor.userId}, clock_timestamp())
    on conflict (unit_key) do update
      set limits = excluded.limits, updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(
    tx.db,
  )
  tx.emit(BOARD_TICK, {
    subject: `board:${key}`,
    rooms: [roomOf({ ...unit, stageId: null })],
    data: { scope: key, asOf: await tx.now(), thresholds: limits },
  })
  tx.log({
    action: 'thresholds',
    targetKind: 'boardLimits',
    targetId: key,
    before: rows[0]?.before ?? null,
    after: limits,
  })
  return limits
}
