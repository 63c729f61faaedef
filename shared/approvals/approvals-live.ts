import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()

export const APPROVAL_CHANGED = liveEvent(
  'approval.changed',
  Type.Object({ approvalId: id, kind: id, targetId: id, state: id }),
)
