/** Live events and log lines of one case, so that every command emits the same ones. */
import {
  CASE_ACCESS_CHANGED,
  CASE_ALLOCATED,
  CASE_ENDED,
  CASE_PTP_CHANGED,
  CASE_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { MoveCause } from '#shared/collection/collection-sets.ts'
import type { CommandTx, Notification } from '#gateway/manage/kernel/command.ts'
import { caseRooms, type MovedCase } from './case-store.ts'
import { casePath } from '#shared/collection/case-path.ts'

/** Assigned to a person, or placed with a unit. */
export function emitAllocated(tx: CommandTx, moved: MovedCase, cause: MoveCause): void {
  tx.emit(CASE_ALLOCATED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved.from, moved),
    data: {
      caseId: moved.id,
      orderId: moved.order_id,
      stageId: moved.stage_id,
      from: moved.from.collector_id,
      fromName: moved.from.collector_name,
      to: moved.collector_id,
      toName: moved.collector_name,
      agencyId: moved.agency_id,
      agencyName: moved.agency_name,
      departmentId: moved.department_id,
      groupId: moved.group_id,
      groupName: moved.group_name,
      cause,
      outstanding: moved.outstanding,
      state: moved.state,
      token: moved.token,
      allocationTime: moved.allocated_at,
      needsIntimation: moved.needs_intimation,
      intimatedAt: moved.intimated_at,
    },
  })
  emitToWatchers(tx, moved)
}

/** Recalled from its holder. */
export function emitRecalled(tx: CommandTx, moved: MovedCase, reason: string): void {
  tx.emit(CASE_RECALLED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved.from, moved),
    data: {
      caseId: moved.id,
      from: moved.from.collector_id,
      fromName: moved.from.collector_name,
      reason,
      state: moved.state,
      token: moved.token,
      agencyId: moved.agency_id,
    },
  })
  emitToWatchers(tx, moved)
}

/**
 * Rechecks sockets that watch the case: a former holder receives no more events within a second,
 * the others stay subscribed.
 */
function emitToWatchers(tx: CommandTx, moved: MovedCase): void {
  const { from } = moved
  if (from.collector_id === null || from.collector_id === moved.collector_id) return
  tx.emit(CASE_ACCESS_CHANGED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: [`case:${moved.id}`],
    data: { caseIds: [moved.id] },
    recheck: true,
  })
}

export function emitPromise(tx: CommandTx, moved: MovedCase): void {
  tx.emit(CASE_PTP_CHANGED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved.from, moved),
    data: {
      caseId: moved.id,
      ptpTime: moved.ptp_at,
      ptpAmount: moved.ptp_amount,
      ptpState: moved.ptp_state ?? 'cancelled',
      state: moved.state,
      brokenCount: moved.broken_count,
      nextFollowTime: moved.next_follow_at,
    },
  })
}

export function emitEnded(tx: CommandTx, moved: MovedCase): void {
  tx.emit(CASE_ENDED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: [
      ...caseRooms(moved.id, moved.from, moved),
      'board:all',
      ...(moved.agency_id === null ? [] : [`board:agency:${moved.agency_id}`]),
    ],
    data: {
      caseId: moved.id,
      orderId: moved.order_id,
      endReason: moved.end_reason ?? 'other',
      endTime: moved.ended_at ?? '',
      recovered: moved.recovered,
      state: moved.state,
    },
  })
}

/** Line of the operate log: what changed, without personal data. */
export function logCase(
  tx: CommandTx,
  menu: string,
  action: string,
  moved: MovedCase,
  more: Record<string, unknown> = {},
): void {
  const { from } = moved
  tx.log({
    menu,
    action,
    targetKind: 'case',
    targetId: moved.id,
    before: {
      state: from.state,
      collectorId: from.collector_id,
      agencyId: from.agency_id,
      token: from.token,
      version: from.version,
    },
    after: {
      state: moved.state,
      collectorId: moved.collector_id,
      agencyId: moved.agency_id,
      token: moved.token,
      version: moved.version,
      ...more,
    },
  })
}

/** Nobody is notified of their own action. */
export function notifyAboutCase(
  tx: CommandTx,
  userId: string | null,
  kind: Notification['kind'],
  title: string,
  caseId: string,
  params: Record<string, string | number> = {},
): void {
  if (userId === null || userId === tx.actor.userId) return
  tx.notify({
    userId,
    kind,
    titleKey: `collection:notification.${title}`,
    params: { caseId, userName: tx.actor.userName, ...params },
    route: casePath(caseId, 'pedding_list'),
  })
}
