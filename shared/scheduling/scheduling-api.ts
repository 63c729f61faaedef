import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import {
  RUN_COUNTS,
  type RunCounts,
  RUN_RESULTS,
  TASK_ALERTS,
  TASK_STATES,
} from './scheduling-sets.ts'

/** Work the system does by the clock, and its runs. */
const text = Type.String()
const int = Type.Integer()
const maybe = Nullable(text)
const strict = { additionalProperties: false }
/** What a run did, without zeros; null when it threw, did nothing or is of an older release. */
const Counts = () =>
  Nullable(
    Type.Unsafe<RunCounts>(
      Type.Object(Object.fromEntries(RUN_COUNTS.map((name) => [name, Type.Optional(int)])), strict),
    ),
  )
const TaskClass = () => Type.String({ pattern: '^[a-zA-Z]{2,40}$' })

export const TaskRow = Type.Object({
  taskId: text,
  /** Its label is with those of the system's parts. */
  class: text,
  /** Cron text read in IST, or `every:SECONDS`. */
  cycle: text,
  status: OneOf(TASK_STATES),
  /** A run is under way, or was asked for and begins within a second. */
  isRunning: Type.Boolean(),
  alert: Nullable(OneOf(TASK_ALERTS)),
  successCount: int,
  failCount: int,
  failsInRow: int,
  lastRunTime: maybe,
  lastDurationMs: Nullable(int),
  lastCounts: Counts(),
  /** Why the last run failed. */
  lastMessage: maybe,
  /** The next three; empty while it is off, and for what runs several times a minute. */
  nextRuns: Type.Array(text),
  version: int,
})

export const listTasks = endpoint({
  method: 'GET',
  path: '/task/list',
  access: ['timed_task:view'],
  menu: 'timed_task',
  input: ListInput({
    class: Type.Optional(TaskClass()),
    status: Type.Optional(OneOf(TASK_STATES)),
    alert: Type.Optional(OneOf(TASK_ALERTS)),
  }),
  data: ListData(TaskRow),
  summary: 'Scheduled tasks with their last run and their next three',
})

export const setTaskStatus = endpoint({
  method: 'POST',
  path: '/task/status',
  access: ['timed_task:status'],
  menu: 'timed_task',
  input: Type.Object({ taskId: Id(), version: Version(), status: OneOf(TASK_STATES) }, strict),
  data: TaskRow,
  audit: 'status',
  summary: 'Switches a task on or off',
})

/** Five fields of a cron text, read in IST, or `every:SECONDS`. */
const Cycle = () =>
  Type.String({ pattern: '^(every:[1-9]\\d{0,5}|\\S+( \\S+){4})$', maxLength: 60 })

export const nextRunsOf = endpoint({
  method: 'GET',
  path: '/task/next',
  access: ['timed_task:edit'],
  menu: 'timed_task',
  input: Type.Object({ cycle: Cycle() }, strict),
  data: Type.Object({ nextRuns: Type.Array(text) }),
  summary: 'The next three runs that a cycle gives',
})

export const editTask = endpoint({
  method: 'POST',
  path: '/task/edit',
  access: ['timed_task:edit'],
  menu: 'timed_task',
  input: Type.Object({ taskId: Id(), version: Version(), cycle: Cycle() }, strict),
  data: TaskRow,
  audit: 'edit',
  summary: 'Gives a task another cycle, from now on',
})

export const runTask = endpoint({
  method: 'POST',
  path: '/task/run',
  access: ['timed_task:run'],
  menu: 'timed_task',
  input: Type.Object({ taskId: Id() }, strict),
  data: TaskRow,
  audit: 'run',
  summary: 'Has a task run within a second, on one of the cores',
})

export const TaskRecord = Type.Object({
  recordId: text,
  taskId: text,
  class: text,
  startTime: text,
  /** Null: its process ended in the middle. */
  durationMs: Nullable(int),
  result: OneOf(RUN_RESULTS),
  counts: Counts(),
  /** Why it failed; empty when it did not. */
  message: text,
  /** Who asked for it; null = the clock. */
  askedBy: maybe,
})

export const listTaskRecords = endpoint({
  method: 'GET',
  path: '/task/record/list',
  access: ['timed_task:view'],
  menu: 'timed_task',
  input: ListInput({
    taskId: Type.Optional(Id()),
    result: Type.Optional(OneOf(RUN_RESULTS)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(TaskRecord),
  summary: 'Runs of the last 30 days that did something, failed or were asked for',
})
