/** Live events and operate log of telemarketing, shared by all commands. */
import { TELE_FOLLOWED, TELE_TASK_ASSIGNED } from '#shared/telemarketing/tele-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { TeleRow } from './tele-row.ts'

export type AssignCause =
  | 'opened'
  | 'claimed'
  | 'assigned'
  | 'released'
  | 'expired'
  | 'offDuty'
  | 'logout'
  | 'closed'

export const segmentRoom = (segment: string): string => `queue:tele:${segment}`

function roomsOf(row: TeleRow, ...people: (string | null)[]): string[] {
  const named = people.filter((id) => id !== null)
  return [segmentRoom(row.segment), ...new Set(named.map((id) => `user:${id}`))]
}

/** @param fromUserId who had the task before */
export function emitAssigned(
  tx: CommandTx,
  row: TeleRow,
  fromUserId: string | null,
  cause: AssignCause,
): void {
  tx.emit(TELE_TASK_ASSIGNED, {
    subject: `tele:${row.taskId}`,
    version: row.version,
    rooms: roomsOf(row, fromUserId, row.assigneeId),
    data: {
      taskId: row.taskId,
      segment: row.segment,
      state: row.state,
      fromUserId,
      toUserId: row.assigneeId,
      toUserName: row.assigneeName,
      token: row.token,
      leaseUntil: row.leaseUntil,
      cause,
    },
  })
}

export function emitFollowed(tx: CommandTx, row: TeleRow): void {
  tx.emit(TELE_FOLLOWED, {
    subject: `tele:${row.taskId}`,
    version: row.version,
    rooms: roomsOf(row, row.assigneeId),
    data: {
      taskId: row.taskId,
      segment: row.segment,
      state: row.state,
      userId: row.assigneeId,
      token: row.token,
      result: row.lastResult ?? 0,
      count: row.followCount,
    },
  })
}

/** What changed, without personal data. */
export function logTask(
  tx: CommandTx,
  action: string,
  row: TeleRow,
  before: { state: string; token: number; version: number } | null,
  more: Record<string, unknown> = {},
): void {
  tx.log({
    menu: row.segment,
    action,
    targetKind: 'tele',
    targetId: row.taskId,
    ...(before && {
      before: { state: before.state, token: before.token, version: before.version },
    }),
    after: {
      state: row.state,
      assigneeId: row.assigneeId,
      token: row.token,
      version: row.version,
      ...more,
    },
  })
}
