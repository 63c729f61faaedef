/**
 * What a user may do with a row: permission codes decide which actions exist, lifecycle and
 * ownership which are disabled and why. The server checks the same lifecycles again. Pure.
 */
import { reviewLifecycle } from '#shared/review/review-lifecycle.ts'
import { isHeld } from './list/review-tabs.ts'
import { can, type ReviewRow, type Viewer } from './review-types.ts'

export const ROW_ACTIONS = [
  'open',
  'claim',
  'release',
  'handover',
  'withdraw',
  'approve',
  'reject',
  'assign',
  'takeOver',
  'retry',
  'toQueue',
  'quality',
] as const
export type RowActionId = (typeof ROW_ACTIONS)[number]

export interface Refusal {
  /** i18n key below `review:refused`. */
  key: 'state' | 'notYours' | 'yours' | 'full' | 'pending' | 'own' | 'checked'
}

/** Actions the user has permission for; `refusal` = why one is unavailable now. */
export function actionsOf(
  row: ReviewRow,
  viewer: Viewer,
  held: { count: number; max: number },
): { id: RowActionId; refusal: Refusal | null }[] {
  return ROW_ACTIONS.filter((id) => exists(id, row, viewer)).map((id) => ({
    id,
    refusal: refusalOf(id, row, viewer, held),
  }))
}

function exists(id: RowActionId, row: ReviewRow, viewer: Viewer): boolean {
  const mine = row.reviewerId === viewer.userId
  const pending = row.handoverState === 'pending'
  switch (id) {
    case 'open':
      return true
    case 'claim':
    case 'assign':
    case 'takeOver':
    case 'quality':
      return can(viewer, id)
    case 'release':
      return isHeld(row) && mine
    case 'handover':
      return (
        !pending && isHeld(row) && (can(viewer, 'approve') || (mine && can(viewer, 'handover')))
      )
    case 'withdraw':
      return pending && mine && can(viewer, 'handover')
    case 'approve':
    case 'reject':
      return pending && !mine && (row.handoverToId === viewer.userId || can(viewer, 'approve'))
    case 'retry':
    case 'toQueue':
      return can(viewer, 'retry') && row.state === 'abnormal'
  }
}

const EVENTS = { claim: 'CLAIM', assign: 'ASSIGN', takeOver: 'TAKE_OVER' } as const

function refusalOf(
  id: RowActionId,
  row: ReviewRow,
  viewer: Viewer,
  held: { count: number; max: number },
): Refusal | null {
  const mine = row.reviewerId === viewer.userId
  if (id === 'takeOver' && mine && isHeld(row)) return { key: 'yours' }
  if (id === 'claim' || id === 'assign' || id === 'takeOver') {
    if (row.finishTime !== null || !reviewLifecycle.allowed(row.state).includes(EVENTS[id]))
      return { key: 'state' }
    if (id === 'claim' && held.max > 0 && held.count >= held.max) return { key: 'full' }
  }
  if (id === 'quality') {
    if (row.manualResult === null || isHeld(row)) return { key: 'state' }
    if (mine) return { key: 'own' }
    if (row.quality === 'pass' || row.quality === 'fail') return { key: 'checked' }
  }
  return null
}
