import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

export const JOB_CHANGED = liveEvent(
  'job.changed',
  Type.Object({
    jobId: Type.String(),
    type: Type.String(),
    state: Type.String(),
    done: Type.Integer(),
    total: Type.Integer(),
    ok: Type.Integer(),
    fail: Type.Integer(),
    fileId: Nullable(Type.String()),
  }),
)
