/**
 * Applies live events to a list of cases: patches rows where an event is sufficient, marks rows
 * that left the tab or the viewer's scope, counts rows that came. Pure; the result must equal a
 * refetch.
 */
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import {
  CASE_ALLOCATED,
  CASE_AMOUNT_CHANGED,
  CASE_CREATED,
  CASE_ENDED,
  CASE_FOLLOWED,
  CASE_INTIMATED,
  CASE_PTP_CHANGED,
  CASE_RECALLED,
  CASE_STAGE_MOVED,
  CASE_STOP_CHANGED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import { PROOF_CHANGED, REDUCTION_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { CaseRow, CaseTab, CaseViewer } from './case-types.ts'

export const CASE_EVENTS: readonly string[] = [
  CASE_CREATED,
  CASE_INTIMATED,
  CASE_ALLOCATED,
  CASES_ALLOCATED,
  CASES_RECALLED,
  CASE_RECALLED,
  CASE_STAGE_MOVED,
  CASE_FOLLOWED,
  CASE_PTP_CHANGED,
  CASE_STOP_CHANGED,
  CASE_AMOUNT_CHANGED,
  CASE_ENDED,
  REDUCTION_CHANGED,
  PROOF_CHANGED,
].map((kind) => kind.type)

/**
 * Why a row leaves: `movedTo` a colleague, `takenBack`, `allocated` from the pool, `held`, `ended`,
 * `paid`, `reopened` after a reversal.
 */
export type LeaveWords = (
  why: 'movedTo' | 'takenBack' | 'allocated' | 'held' | 'ended' | 'paid' | 'reopened',
  params: { name: string; reason: string },
) => string

export interface CaseListView {
  tab: CaseTab
  viewer: CaseViewer
  rows: ReadonlyMap<string, CaseRow>
}
export interface Applied {
  changes: LiveChange[]
  /** Rows to read again, because the event does not carry enough. */
  read: Set<string>
  /** A row came or went whose position only a fresh page shows. */
  needsRefetch: boolean
}

const OPEN_STATES: Record<CaseTab, readonly string[]> = {
  toFollow: ['allocated', 'promised'],
  toAllocate: ['unallocated', 'allocating'],
  ended: [],
}

export function applyCaseEvents(
  { tab, viewer, rows }: CaseListView,
  events: readonly LiveEvent[],
  words: LeaveWords,
): Applied {
  const applied: Applied = { changes: [], read: new Set(), needsRefetch: false }
  const now = new Map(rows)
  const patch = (event: LiveEvent, caseId: string, changes: Partial<CaseRow>): CaseRow | null => {
    const row = now.get(caseId)
    if (!row) return null
    const { version } = event
    const next = { ...row, ...changes, version: Math.max(version ?? 0, row.version) }
    now.set(caseId, next)
    applied.changes.push({
      kind: 'patch',
      id: caseId,
      ...(version === undefined ? { changes } : { version, changes: { ...changes, version } }),
    })
    return next
  }
  const leave = (event: LiveEvent, caseId: string, reason: string) => {
    if (now.has(caseId))
      applied.changes.push({
        kind: 'leave',
        id: caseId,
        ...(event.version === undefined ? {} : { version: event.version }),
        reason,
      })
  }
  const come = (caseId: string) => {
    if (now.has(caseId)) applied.needsRefetch = true
    else applied.changes.push({ kind: 'new', id: caseId })
  }
  const stands = (state: string) => OPEN_STATES[tab].includes(state)
  // a case that leaves a unit is listed among its processed cases as it left, which no event
  // carries; a case that returns is removed there
  const keepsLeft = tab === 'ended' && viewer.scope !== 'all'
  const mayHaveLeft = () => {
    if (keepsLeft) applied.needsRefetch = true
  }

  for (const event of events) {
    const is = <K extends LiveEventKind>(kind: K) =>
      event.type === kind.type ? (event.data as DataOfEvent<K>) : null
    const allocated = is(CASE_ALLOCATED)
    if (allocated) {
      const place = {
        collectorId: allocated.to,
        collectorName: allocated.toName,
        agencyId: allocated.agencyId,
        agencyName: allocated.agencyName,
        departmentId: allocated.departmentId,
        groupId: allocated.groupId,
        groupName: allocated.groupName,
      }
      patch(event, allocated.caseId, {
        ...place,
        state: allocated.state as CaseRow['state'],
        token: allocated.token,
        allocationTime: allocated.allocationTime,
        needsIntimation: allocated.needsIntimation,
        intimatedAt: allocated.intimatedAt,
      })
      // the due time of the first contact follows from the stage
      if (now.has(allocated.caseId)) applied.read.add(allocated.caseId)
      const isMine = inScope(viewer, allocated.to, allocated)
      if (!isMine) mayHaveLeft()
      if (isMine && stands(allocated.state)) {
        if (!now.has(allocated.caseId)) come(allocated.caseId)
      } else
        leave(
          event,
          allocated.caseId,
          words(tab === 'toAllocate' ? 'allocated' : 'movedTo', {
            name: allocated.toName ?? allocated.agencyName ?? '',
            reason: '',
          }),
        )
      continue
    }
    const many = is(CASES_ALLOCATED)
    if (many) {
      if (tab === 'toAllocate') {
        // it was recalled a moment ago and is reassigned: it never entered the list
        const gone = new Set(many.caseIds)
        applied.changes = applied.changes.filter(
          (change) => change.kind !== 'new' || !gone.has(change.id),
        )
        for (const id of gone)
          applied.changes.push({
            kind: 'leave',
            id,
            reason: words('allocated', { name: '', reason: '' }),
          })
      } else if (tab === 'toFollow' && (viewer.scope !== 'own' || many.to === viewer.userId)) {
        const given = new Set(many.caseIds)
        applied.changes = applied.changes.filter(
          (change) => change.kind !== 'leave' || !given.has(change.id),
        )
        for (const caseId of given) {
          if (now.has(caseId)) applied.read.add(caseId)
          come(caseId)
        }
      } else if (keepsLeft)
        for (const caseId of many.caseIds)
          leave(event, caseId, words('allocated', { name: '', reason: '' }))
      continue
    }
    const manyTaken = is(CASES_RECALLED)
    if (manyTaken) {
      mayHaveLeft()
      for (const caseId of manyTaken.caseIds) {
        if (tab === 'toFollow')
          leave(event, caseId, words('takenBack', { name: '', reason: manyTaken.reason }))
        else if (tab === 'toAllocate' && inScope(viewer, null, manyTaken)) come(caseId)
      }
      continue
    }
    const recalled = is(CASE_RECALLED)
    if (recalled) {
      mayHaveLeft()
      patch(event, recalled.caseId, {
        collectorId: null,
        collectorName: null,
        state: recalled.state as CaseRow['state'],
        token: recalled.token,
        agencyId: recalled.agencyId,
        allocationTime: null,
        firstDueTime: null,
      })
      if (
        !stands(recalled.state) ||
        !inScope(viewer, null, { agencyId: recalled.agencyId, departmentId: null, groupId: null })
      )
        leave(event, recalled.caseId, words('takenBack', { name: '', reason: recalled.reason }))
      else {
        // the event does not carry the place within the unit
        applied.read.add(recalled.caseId)
        if (!now.has(recalled.caseId)) come(recalled.caseId)
      }
      continue
    }
    const created = is(CASE_CREATED)
    if (created) {
      // it is in the pool, which belongs to no unit
      if (tab === 'toAllocate' && viewer.scope === 'all') come(created.caseId)
      if (tab === 'ended' && created.reopened) {
        leave(event, created.caseId, words('reopened', { name: '', reason: '' }))
        mayHaveLeft()
      }
      continue
    }
    const moved = is(CASE_STAGE_MOVED)
    if (moved) {
      if (
        patch(event, moved.caseId, {
          stageId: moved.toStage,
          overdueDays: moved.overdueDays,
          rbiClass: moved.rbiClass,
        })?.firstDueTime
      )
        applied.read.add(moved.caseId)
      continue
    }
    const intimated = is(CASE_INTIMATED)
    if (intimated) {
      patch(event, intimated.caseId, { intimatedAt: intimated.intimatedAt })
      continue
    }
    const followed = is(CASE_FOLLOWED)
    if (followed) {
      patch(event, followed.caseId, {
        attemptsToday: followed.attemptsToday,
        attemptsWeek: followed.attemptsWeek,
        ...(followed.followId === null
          ? {}
          : {
              lastContactResult: followed.contactResult,
              lastWillingness: followed.willingness,
              commitmentTime: followed.commitmentTime,
              nextFollowTime: followed.nextFollowTime,
              lastFollowTime: followed.lastFollowTime,
              followCount: followed.followCount,
              firstDueTime: null,
            }),
      })
      continue
    }
    const promise = is(CASE_PTP_CHANGED)
    if (promise) {
      patch(event, promise.caseId, {
        ptpTime: promise.ptpTime,
        ptpAmount: promise.ptpAmount,
        ptpState: promise.ptpState as CaseRow['ptpState'],
        state: promise.state as CaseRow['state'],
        brokenCount: promise.brokenCount,
        nextFollowTime: promise.nextFollowTime,
      })
      continue
    }
    const amount = is(CASE_AMOUNT_CHANGED)
    if (amount) {
      patch(event, amount.caseId, {
        amountDue: amount.amountDue,
        paidAmount: amount.paidAmount,
        paidToday: amount.paidToday,
        recovered: amount.recovered,
        outstanding: amount.outstanding,
        overdueDays: amount.overdueDays,
        rbiClass: amount.rbiClass,
      })
      continue
    }
    const stop = is(CASE_STOP_CHANGED)
    if (stop) {
      for (const caseId of stop.caseIds) {
        if (stop.caseState === null) continue
        patch(event, caseId, {
          state: stop.caseState as CaseRow['state'],
          holdReason: stop.holdReason,
          holdUntil: stop.holdUntil,
        })
        if (stop.caseState === 'held')
          leave(event, caseId, words('held', { name: '', reason: stop.reason }))
        else if (stands(stop.caseState)) {
          if (now.has(caseId)) applied.read.add(caseId)
          else come(caseId)
        }
      }
      continue
    }
    const settling = is(REDUCTION_CHANGED) ?? is(PROOF_CHANGED)
    if (settling) {
      // the row shows the latest one of the order, which need not be this one
      for (const row of now.values())
        if (row.orderId === settling.orderId) applied.read.add(row.caseId)
      continue
    }
    const ended = is(CASE_ENDED)
    if (ended) {
      patch(event, ended.caseId, {
        firstDueTime: null,
        endReason: ended.endReason,
        endTime: ended.endTime,
        recovered: ended.recovered,
        state: ended.state as CaseRow['state'],
      })
      if (tab === 'ended') {
        if (!now.has(ended.caseId)) come(ended.caseId)
      } else
        leave(
          event,
          ended.caseId,
          words(
            ended.endReason === 'repaid' || ended.endReason === 'repaidReduced' ? 'paid' : 'ended',
            { name: '', reason: ended.endReason },
          ),
        )
    }
  }
  return applied
}

/** Whether the viewer may see a case at this place. */
export function inScope(
  viewer: CaseViewer,
  collectorId: string | null,
  place: { agencyId: string | null; departmentId: string | null; groupId: string | null },
): boolean {
  switch (viewer.scope) {
    case 'all':
      return true
    case 'agency':
      return place.agencyId !== null && place.agencyId === viewer.agencyId
    case 'department':
      return place.departmentId !== null && place.departmentId === viewer.departmentId
    case 'group':
      return place.groupId !== null && place.groupId === viewer.groupId
    case 'own':
      return collectorId === viewer.userId
    case 'queue':
      return false
  }
}
