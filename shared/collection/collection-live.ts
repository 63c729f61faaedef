import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** Live events of collection. Ids, codes, amounts and times only. */
const id = Type.String()
const maybe = Nullable(id)
const int = Type.Integer()

export const CASE_CREATED = liveEvent(
  'case.created',
  Type.Object({ caseId: id, orderId: id, stageId: id, outstanding: int, reopened: Type.Boolean() }),
)
export const CASE_INTIMATED = liveEvent(
  'case.intimated',
  Type.Object({ caseId: id, intimatedAt: id }),
)
/** One case, given to a person or a unit; names are staff names, which every receiver may know. */
export const CASE_ALLOCATED = liveEvent(
  'case.allocated',
  Type.Object({
    caseId: id,
    orderId: id,
    stageId: id,
    from: maybe,
    fromName: maybe,
    to: maybe,
    toName: maybe,
    agencyId: maybe,
    agencyName: maybe,
    departmentId: maybe,
    groupId: maybe,
    groupName: maybe,
    cause: id,
    outstanding: int,
    state: id,
    token: int,
    allocationTime: maybe,
    needsIntimation: Type.Boolean(),
    intimatedAt: maybe,
  }),
)
/**
 * Many cases given in one step, one event for all: to one person, or (`to` null) for the rooms of a
 * unit or of everyone, who see each receiver. `runId` null = not by a run.
 */
export const CASES_ALLOCATED = liveEvent(
  'cases.allocated',
  Type.Object({
    runId: maybe,
    to: maybe,
    receivers: Type.Array(Type.Object({ userId: id, count: int })),
    stageIds: Type.Array(id),
    count: int,
    outstanding: int,
    caseIds: Type.Array(id),
  }),
)
/**
 * Many cases recalled from one person (`from`) or out of a unit in one step, and the unit whose
 * pool has them now; without one the common pool.
 */
export const CASES_RECALLED = liveEvent(
  'cases.recalled',
  Type.Object({
    runId: maybe,
    from: maybe,
    reason: id,
    agencyId: maybe,
    departmentId: maybe,
    groupId: maybe,
    count: int,
    caseIds: Type.Array(id),
  }),
)
export const CASE_RECALLED = liveEvent(
  'case.recalled',
  Type.Object({
    caseId: id,
    from: maybe,
    fromName: maybe,
    reason: id,
    state: id,
    token: int,
    agencyId: maybe,
  }),
)
/**
 * For sockets that watch a case that changed hands: their right to watch is rechecked. No screen
 * shows it.
 */
export const CASE_ACCESS_CHANGED = liveEvent(
  'case.access.changed',
  Type.Object({ caseIds: Type.Array(id) }),
)
export const CASE_STAGE_MOVED = liveEvent(
  'case.stage.moved',
  Type.Object({ caseId: id, fromStage: id, toStage: id, overdueDays: int, rbiClass: id }),
)
/**
 * A contact was recorded; with `followId` null a call or message only started: then nothing but the
 * attempts changes.
 */
export const CASE_FOLLOWED = liveEvent(
  'case.followed',
  Type.Object({
    caseId: id,
    followId: maybe,
    contactResult: Nullable(int),
    willingness: Nullable(int),
    commitmentTime: maybe,
    nextFollowTime: maybe,
    lastFollowTime: maybe,
    followCount: int,
    attemptsToday: int,
    attemptsWeek: int,
  }),
)
export const CASE_PTP_CHANGED = liveEvent(
  'case.ptp.changed',
  Type.Object({
    caseId: id,
    ptpTime: maybe,
    ptpAmount: Nullable(int),
    ptpState: id,
    state: id,
    brokenCount: int,
    nextFollowTime: maybe,
  }),
)
/**
 * One event for each case held or resumed, with the case's version; without a case (requested,
 * rejected, nothing open) one of the stop itself.
 */
export const CASE_STOP_CHANGED = liveEvent(
  'case.stop.changed',
  Type.Object({
    stopId: id,
    userId: id,
    caseIds: Type.Array(id),
    reason: id,
    state: id,
    stopVersion: int,
    decideBy: maybe,
    caseState: maybe,
    holdReason: maybe,
    holdUntil: maybe,
    endTime: maybe,
  }),
)
/** Amounts of an open case after a payment, a reversal or the day's fine. */
export const CASE_AMOUNT_CHANGED = liveEvent(
  'case.amount.changed',
  Type.Object({
    caseId: id,
    orderId: id,
    amountDue: int,
    paidAmount: int,
    paidToday: int,
    recovered: int,
    outstanding: int,
    paid: int,
    overdueDays: int,
    rbiClass: id,
  }),
)
export const CASE_ENDED = liveEvent(
  'case.ended',
  Type.Object({ caseId: id, orderId: id, endReason: id, endTime: id, recovered: int, state: id }),
)
export const ALLOCATION_RUN_CHANGED = liveEvent(
  'allocation.run.changed',
  Type.Object({
    runId: id,
    stageIds: Type.Array(id),
    state: id,
    done: int,
    total: int,
    failed: int,
    startByName: id,
  }),
)
export const CHANGE_CHANGED = liveEvent(
  'change.changed',
  Type.Object({ changeId: id, state: id, movedCount: int }),
)
export const COLLECTOR_CHANGED = liveEvent(
  'collector.changed',
  Type.Object({ userId: id, allocationFlag: Type.Boolean(), status: id, onDuty: Type.Boolean() }),
)
export const AGENCY_CHANGED = liveEvent('agency.changed', Type.Object({ ids: Type.Array(id) }))
export const STAGE_CHANGED = liveEvent(
  'stage.changed',
  Type.Object({ stageId: id, allocationState: id }),
)
export const SCHEDULE_CHANGED = liveEvent(
  'schedule.changed',
  Type.Object({ weekStart: id, groupIds: Type.Array(id) }),
)
