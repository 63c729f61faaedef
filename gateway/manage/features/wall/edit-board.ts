import { sql } from 'kysely'
import type { BoardRow, editBoard as call } from '#shared/wall/wall-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { boardRow, boardsInScope, lockBoard, emitBoard } from './board-store.ts'

/**
 * The screen receives the change in its own room and reads again.
 * @throws Problem G404, G409, G-FIELD for sleep hours without a beginning, an end or a length
 */
export async function editBoard(
  tx: CommandTx,
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
  const before = await lockBoard(tx, boardsInScope(staff(tx.actor)), boardId)
  if (before.state !== 'active') throw new Problem(NOT_FOUND)
  if (before.version !== version)
    throw await changedByOther(tx.db, 'board', boardId, await boardRow(tx.db, boardId))
  await sql`
    update board_device set name = ${name}, settings = ${JSON.stringify(settings)}::jsonb,
      version = version + 1, updated_at = clock_timestamp() where id = ${boardId}`.execute(tx.db)
  emitBoard(tx, { id: boardId, state: before.state, version: version + 1 })
  tx.log({
    action: 'edit',
    targetKind: 'board',
    targetId: boardId,
    before: { name: before.name, ...before.settings },
    after: { name, ...settings },
  })
  return boardRow(tx.db, boardId)
}
