import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

/** A call of a person moved; whoever has its case or its task open reads it again. */
export const VOICE_CALL_CHANGED = liveEvent(
  'voicecall.changed',
  Type.Object({ callId: id, caseId: maybe, taskId: maybe, state: id }),
)
