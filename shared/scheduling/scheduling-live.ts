import Type from 'typebox'
import { Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'
import { RUN_RESULTS } from './scheduling-sets.ts'

/** A run ended, one was asked for, or the task was switched on or off: `result` is then null. */
export const TASK_RUN_CHANGED = liveEvent(
  'task.run.changed',
  Type.Object({
    taskId: Type.String(),
    recordId: Nullable(Type.String()),
    result: Nullable(OneOf(RUN_RESULTS)),
    durationMs: Nullable(Type.Integer()),
  }),
)
