import { sql } from 'kysely'
import type { saveThresholds as call, Thresholds } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { narrowed, roomOf, unitKey } from '../board-scope.ts'

/** Boards of the unit hear of them at once; what follows from them comes with the next tick. @throws Problem G404 for a unit that is not the caller's */
export async function saveThresholds(
  cx: Cx,
  { agencyId, ...limits }: InputOf<typeof call>,
): Promise<Thresholds> {
  const actor = staff(cx.actor)
  const unit = await narrowed(cx.db, actor, agencyId)
  const key = unitKey(unit)
  const { rows } = await sql<{
    before: Thresholds | null
  }>`select (select t.limits from board_threshold t where t.unit_key = ${key}) as before`.execute(
    cx.db,
  )
  await sql`
    insert into board_threshold (unit_key, limits, updated_by, updated_at) values (${key}, ${JSON.stringify(limits)}::jsonb, ${actor.userId}, clock_timestamp())
    on conflict (unit_key) do update set limits = excluded.limits, updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(
    cx.db,
  )
  cx.emit(BOARD_TICK, {
    subject: `board:${key}`,
    rooms: [roomOf({ ...unit, stageId: null })],
    data: { scope: key, asOf: await cx.now(), thresholds: limits },
  })
  cx.log({
    action: 'thresholds',
    targetKind: 'boardLimits',
    targetId: key,
    before: rows[0]?.before ?? null,
    after: limits,
  })
  return limits
}
