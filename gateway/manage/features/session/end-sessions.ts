import { SESSION_REVOKED } from '#shared/session/session-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitPresence, isPersonOnline } from './emit-presence.ts'
import { revokeSessions } from './session-store.ts'

export type RevokeReason =
  | 'logout'
  | 'password'
  | 'status'
  | 'role'
  | 'kick'
  | 'own'
  | 'newerLogin'
  | 'reuse'
  | 'expired'

/** Ends sessions of a user; every edge closes or re-checks their sockets within a second. */
export async function endSessions(
  tx: CommandTx,
  userId: string,
  reason: RevokeReason,
  which: { only?: string; keepNewest?: number } = {},
): Promise<string[]> {
  const ended = await revokeSessions(tx.db, userId, reason, which)
  for (const sessionId of ended) {
    tx.emit(SESSION_REVOKED, {
      subject: `session:${sessionId}`,
      rooms: [`user:${userId}`],
      data: { sessionId, reason },
      recheck: true,
    })
  }
  if (ended.length > 0 && !(await isPersonOnline(tx, userId))) await emitPresence(tx, userId, false)
  tx.afterCommit(() => tx.context.forgetSessions(userId))
  return ended
}
