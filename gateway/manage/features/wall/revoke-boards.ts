import { sql } from 'kysely'
import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import { SESSION_REVOKED } from '#shared/session/session-live.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { roomOfScreen } from './board-scope.ts'
import { boardsInScope, endBoard, lockBoard, emitBoard } from './board-store.ts'

const MENU = 'loaned_board'

/** Tokens end with the commit; open sockets are rechecked at once and closed. */
export function revokeBoards(tx: CommandTx, boardIds: readonly string[]): Promise<BulkResult> {
  const known = sql`
    select d.id from board_device d where d.id = any(${[...boardIds]}::text[]) and d.state <> 'waiting'
      and ${boardsInScope(staff(tx.actor))}`
  return inBulk(tx, boardIds, { type: revokeBoardsJob, menu: MENU, params: {}, known })
}

export const revokeBoardsJob: JobType = {
  type: 'board.revoke',
  async row(tx, boardId) {
    const before = await lockBoard(tx, sql<boolean>`true`, boardId)
    const state = boardLifecycle.next(before.state, { type: 'REVOKE' })
    const version = await endBoard(tx, boardId, 'revoked')
    emitEnd(tx, boardId, state, version, 'revoked')
    tx.log({
      menu: MENU,
      action: 'revoke',
      targetKind: 'board',
      targetId: boardId,
      before: { state: before.state },
      after: { state },
    })
  },
}

export function emitEnd(
  tx: CommandTx,
  boardId: string,
  state: 'waiting' | 'active' | 'revoked',
  version: number,
  reason: string,
): void {
  emitBoard(tx, { id: boardId, state, version })
  tx.emit(SESSION_REVOKED, {
    subject: `board:${boardId}`,
    version,
    rooms: [roomOfScreen(boardId)],
    data: { sessionId: boardId, reason },
    recheck: true,
  })
}
