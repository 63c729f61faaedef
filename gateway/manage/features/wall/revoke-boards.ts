import { sql } from 'kysely'
import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import { SESSION_REVOKED } from '#shared/session/session-live.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { roomOfScreen } from './board-scope.ts'
import { boardsInScope, endBoard, lockBoard, tellBoard } from './board-store.ts'

const MENU = 'loaned_board'

/** Tokens die with the commit; open sockets are asked about again at once and closed. */
export function revokeBoards(cx: Cx, boardIds: readonly string[]): Promise<BulkResult> {
  const known = sql`select d.id from board_device d where d.id = any(${[...boardIds]}::text[]) and d.state <> 'waiting' and ${boardsInScope(staff(cx.actor))}`
  return inBulk(cx, boardIds, { type: revokeBoardsJob, menu: MENU, params: {}, known })
}

export const revokeBoardsJob: JobType = {
  type: 'board.revoke',
  async row(cx, boardId) {
    const before = await lockBoard(cx, sql<boolean>`true`, boardId)
    const state = boardLifecycle.next(before.state, { type: 'REVOKE' })
    const version = await endBoard(cx, boardId, 'revoked')
    tellEnd(cx, boardId, state, version, 'revoked')
    cx.log({
      menu: MENU,
      action: 'revoke',
      targetKind: 'board',
      targetId: boardId,
      before: { state: before.state },
      after: { state },
    })
  },
}

export function tellEnd(
  cx: Cx,
  boardId: string,
  state: 'waiting' | 'active' | 'revoked',
  version: number,
  reason: string,
): void {
  tellBoard(cx, { id: boardId, state, version })
  cx.emit(SESSION_REVOKED, {
    subject: `board:${boardId}`,
    version,
    rooms: [roomOfScreen(boardId)],
    data: { sessionId: boardId, reason },
    recheck: true,
  })
}
