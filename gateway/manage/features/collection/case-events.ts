/** Live events and log lines of one case, so that every command tells the same things the same way (api.md 26). */
import {
  CASE_ACCESS_CHANGED,
  CASE_ALLOCATED,
  CASE_ENDED,
  CASE_PTP_CHANGED,
  CASE_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { MoveCause } from '#shared/collection/collection-sets.ts'
import type { Cx, Notice } from '#gateway/manage/kernel/command.ts'
import { caseRooms, type MovedCase } from './case-store.ts'

/** Given to a person, or placed with a unit. */
export function tellAllocated(cx: Cx, moved: MovedCase, cause: MoveCause): void {
  cx.emit(CASE_ALLOCATED, {
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
  tellWatchers(cx, moved)
}

/** Taken back from its holder. */
export function tellRecalled(cx: Cx, moved: MovedCase, reason: string): void {
  cx.emit(CASE_RECALLED, {
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
  tellWatchers(cx, moved)
}

/** Who had the case open and lost it hears nothing more of it within a second (trust.md E5); the others are asked and stay. */
function tellWatchers(cx: Cx, moved: MovedCase): void {
  const { from } = moved
  if (from.collector_id === null || from.collector_id === moved.collector_id) return
  cx.emit(CASE_ACCESS_CHANGED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: [`case:${moved.id}`],
    data: { caseIds: [moved.id] },
    recheck: true,
  })
}

export function tellPromise(cx: Cx, moved: MovedCase): void {
  cx.emit(CASE_PTP_CHANGED, {
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

export function tellEnded(cx: Cx, moved: MovedCase): void {
  cx.emit(CASE_ENDED, {
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

/** The operate log's line: what changed, without personal data. */
export function logCase(
  cx: Cx,
  menu: string,
  action: string,
  moved: MovedCase,
  more: Record<string, unknown> = {},
): void {
  const { from } = moved
  cx.log({
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

/** Nobody is told of what he did himself. */
export function notifyOfCase(
  cx: Cx,
  userId: string | null,
  kind: Notice['kind'],
  title: string,
  caseId: string,
  params: Record<string, string | number> = {},
): void {
  if (userId === null || userId === cx.actor.userId) return
  cx.notify({
    userId,
    kind,
    titleKey: `collection:notice.${title}`,
    params: { caseId, userName: cx.actor.userName, ...params },
    route: `/detail3?caseId=${caseId}&from=pedding_list`,
  })
}
