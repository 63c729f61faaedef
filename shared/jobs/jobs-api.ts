import Type from 'typebox'
import { endpoint, Id, MapOf, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** The job tray: people see their own jobs, administrators all. */
const text = Type.String()
const int = Type.Integer()

export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export const JobRow = Type.Object({
  jobId: text,
  type: text,
  menu: Nullable(text),
  state: text,
  total: int,
  done: int,
  ok: int,
  fail: int,
  message: Nullable(text),
  userName: Nullable(text),
  createTime: text,
  finishTime: Nullable(text),
  /** Of an export: the list, its rows, and the file while it is stored. */
  title: Nullable(text),
  rows: Nullable(int),
  fileId: Nullable(text),
})

export const listJobs = endpoint({
  method: 'GET',
  path: '/job/list',
  access: 'any',
  input: ListInput({
    type: Type.Optional(Type.String({ maxLength: 40 })),
    state: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  data: ListData(JobRow),
  summary: 'Own jobs; administrators see all',
})

export const jobDetail = endpoint({
  method: 'GET',
  path: '/job/detail',
  access: 'any',
  input: Type.Object({ jobId: Id() }),
  data: Type.Object({
    job: JobRow,
    failed: Type.Array(
      Type.Object({
        id: text,
        code: int,
        msg: text,
        problem: Nullable(text),
        params: MapOf(Type.Union([text, Type.Number()])),
      }),
    ),
    /** Rows it has not come to yet. */
    waiting: Type.Array(text),
  }),
  summary: 'A job with its refused and its waiting rows (at most 500 of each)',
})

export const jobOutcome = endpoint({
  method: 'GET',
  path: '/job/outcome',
  access: 'any',
  input: Type.Object({ jobId: Id() }, { additionalProperties: false }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        row: int,
        id: text,
        state: OneOf(['waiting', 'ok', 'failed'] as const),
        problem: Nullable(
          Type.Object({ id: text, params: MapOf(Type.Union([text, Type.Number()])) }),
        ),
        msg: text,
      }),
    ),
  }),
  audit: 'jobOutcome',
  summary: 'The result of each row of an own job, for a file',
})

export const cancelJob = endpoint({
  method: 'POST',
  path: '/job/cancel',
  access: 'any',
  input: Type.Object({ jobId: Id() }, { additionalProperties: false }),
  data: JobRow,
  audit: 'jobCancel',
  summary: 'Cancels a job; rows already done stay',
})

export const retryJob = endpoint({
  method: 'POST',
  path: '/job/retry',
  access: 'any',
  input: Type.Object({ jobId: Id() }, { additionalProperties: false }),
  data: Type.Object({ jobId: text }),
  audit: 'jobRetry',
  summary: 'Starts a new job with the refused rows only',
})
