import { sql } from 'kysely'
import type { BoardFigures, BoardSettings, readBoard as call } from '#shared/wall/wall-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { narrowed, unitOf } from '../board-scope.ts'
import type { FigureCache } from './figure-cache.ts'

/**
 * A person sees their unit, or an agency or stage of it; a screen what it was paired for.
 * @throws Problem G404 for a unit out of scope, or a stage that does not exist
 */
export async function readBoard(
  db: Db,
  actor: StaffActor,
  desk: FigureCache,
  { agencyId, stageId, appVersion }: InputOf<typeof call>,
): Promise<BoardFigures> {
  if (actor.screen) return screenBoard(db, actor, desk, appVersion)
  const unit = await narrowed(db, actor, agencyId)
  if (stageId !== undefined) {
    const { rows } =
      await sql`select from stage s where s.stage_id = ${stageId} and s.status = 'enabled'`.execute(
        db,
      )
    if (rows.length === 0) throw new Problem(NOT_FOUND)
  }
  return desk.read({ ...unit, stageId: stageId ?? null })
}

async function screenBoard(
  db: Db,
  actor: StaffActor,
  desk: FigureCache,
  appVersion: string | undefined,
): Promise<BoardFigures> {
  const { rows } = await sql<{
    name: string
    stageId: string | null
    settings: BoardSettings
    appVersion: string
  }>`
    select d.name, d.stage_id as "stageId", d.settings, d.app_version as "appVersion" from board_device d
      where d.id = ${actor.userId}`.execute(db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  // no row version: nobody edits the build a screen runs
  if (appVersion !== undefined && appVersion !== row.appVersion)
    await sql`update board_device set app_version = ${appVersion} where id = ${actor.userId}`.execute(
      db,
    )
  const figures = await desk.read({ ...unitOf(actor), stageId: row.stageId })
  const { name, settings } = row
  return {
    ...figures,
    ranking: settings.people
      ? figures.ranking
      : figures.ranking.filter((line) => line.kind !== 'collector'),
    screen: { boardId: actor.userId, name, settings },
  }
}
