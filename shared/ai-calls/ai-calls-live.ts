import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

/** The state of a task of the calling robot, or when it dials next. */
export const AI_TASK_CHANGED = liveEvent(
  'aicall.task.changed',
  Type.Object({
    taskId: id,
    orderId: id,
    caseId: maybe,
    state: id,
    attempt: Type.Integer(),
    dueTime: maybe,
    cause: maybe,
  }),
)

/** A call of the robot ended. */
export const AI_RESULT = liveEvent(
  'aicall.result',
  Type.Object({ taskId: id, orderId: id, caseId: maybe, callId: id, result: id }),
)
