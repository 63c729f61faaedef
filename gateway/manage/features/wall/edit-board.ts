import { sql } from 'kysely'
import type { BoardRow, editBoard as call } from '#shared/wall/wall-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { boardRow, boardsInScope, lockBoard, tellBoard } from './board-store.ts'

/** The screen hears of it in its own room and reads again. @throws Problem G404, G409, G422 for hours of sleep without a beginning, an end or a length */
export async function editBoard(
  cx: Cx,
  { boardId, version, name, ...settings }: InputOf<typeof call>,
): Promise<BoardRow> {
  const { sleepFrom, sleepTo } = settings
  if ((sleepFrom === undefined) !== (sleepTo === undefined))
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { [sleepFrom === undefined ? 'sleepFrom' : 'sleepTo']: 'required' } },
    )
  if (sleepFrom !== undefined && sleepFrom === sleepTo)
    throw new Problem(INVALID_FIELDS, {}, { fields: { sleepTo: 'same' } })
  const before = await lockBoard(cx, boardsInScope(staff(cx.actor)), boardId)
  if (before.state !== 'active') throw new Problem(NOT_FOUND)
  if (before.version !== version)
    throw await changedByOther(cx.db, 'board', boardId, await boardRow(cx.db, boardId))
  await sql`update board_device set name = ${name}, settings = ${JSON.stringify(settings)}::jsonb, version = version + 1, updated_at = clock_timestamp() where id = ${boardId}`.execute(
    cx.db,
  )
  tellBoard(cx, { id: boardId, state: before.state, version: version + 1 })
  cx.log({
    action: 'edit',
    targetKind: 'board',
    targetId: boardId,
    before: { name: before.name, ...before.settings },
    after: { name, ...settings },
  })
  return boardRow(cx.db, boardId)
}
