import { CASE_FOLLOWED } from '#shared/collection/collection-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { caseRooms, type LockedCase } from '../case-store.ts'

/**
 * Emits the contact counts of a case that itself does not change, so the event has no version and
 * names no follow-up.
 * @param counts contacts of the customer since IST midnight and in seven days
 */
export function emitContact(
  tx: CommandTx,
  locked: LockedCase,
  counts: { attemptsToday: number; attemptsWeek: number },
): void {
  tx.emit(CASE_FOLLOWED, {
    subject: `case:${locked.id}`,
    rooms: caseRooms(locked.id, locked),
    data: {
      caseId: locked.id,
      followId: null,
      contactResult: null,
      willingness: null,
      commitmentTime: null,
      nextFollowTime: null,
      lastFollowTime: locked.last_follow_at,
      followCount: locked.follow_count,
      attemptsToday: counts.attemptsToday,
      attemptsWeek: counts.attemptsWeek,
    },
  })
}
