import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

/** A call of a person changed state; views of its case or its task read it again. */
export const VOICE_CALL_CHANGED = liveEvent(
  'voicecall.changed',
  Type.Object({ callId: id, caseId: maybe, taskId: maybe, state: id }),
)
