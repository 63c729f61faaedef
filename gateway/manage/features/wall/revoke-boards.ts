import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import { SESSION_REVOKED } from '#shared/session/session-live.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { roomOfScreen } from './board-scope.ts'
import { endBoard, lockBoard, tellBoard } from './board-store.ts'

/** Tokens die with the commit; open sockets are asked about again at once and closed. */
export function revokeBoards(cx: Cx, boardIds: readonly string[]): Promise<BulkResult> {
  const actor = staff(cx.actor)
  return rowByRow(boardIds, async (boardId) => {
    const before = await lockBoard(cx, actor, boardId)
    const state = boardLifecycle.next(before.state, { type: 'REVOKE' })
    const version = await endBoard(cx, boardId, 'revoked')
    tellEnd(cx, boardId, state, version, 'revoked')
    cx.log({ action: 'revoke', targetKind: 'board', targetId: boardId, before: { state: before.state }, after: { state } })
  })
}

export function tellEnd(cx: Cx, boardId: string, state: 'waiting' | 'active' | 'revoked', version: number, reason: string): void {
  tellBoard(cx, { id: boardId, state, version })
  cx.emit(SESSION_REVOKED, { subject: `board:${boardId}`, version, rooms: [roomOfScreen(boardId)], data: { sessionId: boardId, reason }, recheck: true })
}
