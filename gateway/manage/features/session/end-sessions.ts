import { SESSION_REVOKED } from '#shared/session/session-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
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

/** Ends sessions of a user; their sockets are told and asked again at every edge within a second (trust.md G2). */
export async function endSessions(
  cx: Cx,
  userId: string,
  reason: RevokeReason,
  which: { only?: string; keepNewest?: number } = {},
): Promise<string[]> {
  const ended = await revokeSessions(cx.db, userId, reason, which)
  for (const sessionId of ended) {
    cx.emit(SESSION_REVOKED, {
      subject: `session:${sessionId}`,
      rooms: [`user:${userId}`],
      data: { sessionId, reason },
      recheck: true,
    })
  }
  cx.afterCommit(() => cx.house.forgetSessions(userId))
  return ended
}
