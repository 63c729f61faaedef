import Type from 'typebox'
import {
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { AI_TASK_STATES } from './ai-task-lifecycle.ts'
import { AI_RESULTS, CALL_STATES, CANCEL_CAUSES, CONFIG_STATUSES } from './ai-call-sets.ts'

/** Calls of the robot: who is called when, the tasks, and their transcripts. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const menu = 'ai_call_config'
const access = ['ai_call_config:view'] as const

/** `HH:MM` IST. */
const Clock = () => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
/** Days after the due day; negative before it. */
const Days = () => Type.Integer({ minimum: -3, maximum: 999 })

const fields = {
  productId: Id(),
  minOverdueDays: Days(),
  maxOverdueDays: Days(),
  startTime: Clock(),
  endTime: Clock(),
  robotId: Text(1, 40),
  robotName: Text(1, 60),
  /** Minutes between two rounds, and rounds on a day. */
  repeatIntervalMin: Type.Integer({ minimum: 30, maximum: 720 }),
  repeatFrequency: Type.Integer({ minimum: 1, maximum: 10 }),
  /** Minutes until a call nobody answered is dialled again in its round, and how often. */
  redialIntervalMin: Type.Integer({ minimum: 5, maximum: 240 }),
  redialMax: Type.Integer({ minimum: 0, maximum: 5 }),
  /** A loan whose last call ended so is left out. */
  ignoreLabels: Type.Array(OneOf(AI_RESULTS), { maxItems: 8, uniqueItems: true }),
  status: OneOf(CONFIG_STATUSES),
}

export const AiConfigRow = Type.Object({
  ...fields,
  configId: text,
  productName: text,
  /** Tasks that are not over. */
  openTasks: int,
  updateBy: text,
  updateTime: text,
  version: int,
})

export const listAiConfigs = endpoint({
  method: 'GET',
  path: '/aiCall/config/list',
  access,
  menu,
  input: ListInput({
    productId: Type.Optional(Id()),
    robotId: Type.Optional(Text(1, 40)),
    status: Type.Optional(OneOf(CONFIG_STATUSES)),
  }),
  data: ListData(AiConfigRow),
  summary: 'Configurations of the calling robot',
})

export const aiCallOptions = endpoint({
  method: 'GET',
  path: '/aiCall/config/options',
  access,
  menu,
  input: Type.Object({}),
  data: Type.Object({
    products: Type.Array(Type.Object({ id: text, name: text })),
    configs: Type.Array(
      Type.Object({
        configId: text,
        productName: text,
        robotName: text,
        minOverdueDays: int,
        maxOverdueDays: int,
        status: OneOf(CONFIG_STATUSES),
      }),
    ),
    /** Hours in which borrowers may be called, `HH:MM` IST. */
    hours: Type.Object({ from: text, to: text }),
    /** Calls the lines of the robot may make at once and on a day, and made today. */
    lines: Type.Object({ count: int, atOnce: int, perDay: int, usedToday: int }),
  }),
  summary: 'Products, configurations, hours and lines, for forms and filters',
})

export const addAiConfig = endpoint({
  method: 'POST',
  path: '/aiCall/config/add',
  access: ['ai_call_config:add'],
  menu,
  input: Type.Object(fields, strict),
  data: Type.Object({ configId: text }),
  audit: 'add',
  summary: 'Adds a configuration',
})

export const editAiConfig = endpoint({
  method: 'POST',
  path: '/aiCall/config/edit',
  access: ['ai_call_config:edit'],
  menu,
  input: Type.Object({ configId: Id(), version: Version(), ...fields }, strict),
  data: Type.Object({ configId: text }),
  audit: 'edit',
  summary: 'Changes a configuration; open tasks follow it from their next call on',
})

export const setAiConfigStatus = endpoint({
  method: 'POST',
  path: '/aiCall/config/status',
  access: ['ai_call_config:status'],
  menu,
  input: Type.Object(
    { configId: Id(), version: Version(), status: OneOf(CONFIG_STATUSES) },
    strict,
  ),
  data: Type.Object({ configId: text }),
  audit: 'status',
  summary: 'Switches a configuration; without it its tasks wait',
})

/** Of a task, also for people who see only its case. */
const taskFacts = {
  taskId: text,
  robotName: text,
  state: OneOf(AI_TASK_STATES),
  attempt: int,
  result: Nullable(OneOf(AI_RESULTS)),
  /** When it dials next; null when it does not. */
  dueTime: maybe,
  cause: Nullable(OneOf(CANCEL_CAUSES)),
  createTime: text,
}

export const AiTaskRow = Type.Object({
  ...taskFacts,
  configId: text,
  caseId: maybe,
  orderId: text,
  userId: text,
  userName: text,
  overdueDays: int,
  startTime: maybe,
  durationSec: Nullable(int),
  version: int,
})

export const listAiTasks = endpoint({
  method: 'GET',
  path: '/aiCall/task/list',
  access,
  menu,
  input: ListInput({
    taskId: Type.Optional(Id()),
    configId: Type.Optional(Id()),
    state: Type.Optional(OneOf(AI_TASK_STATES)),
    result: Type.Optional(OneOf(AI_RESULTS)),
    userId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(AiTaskRow),
  summary: 'Tasks of the calling robot',
})

const Line = Type.Object({ by: OneOf(['robot', 'borrower']), text: Text(1, 1000) }, strict)

export const AiCallShown = Type.Object({
  callId: text,
  no: int,
  state: OneOf(CALL_STATES),
  result: Nullable(OneOf(AI_RESULTS)),
  startTime: text,
  durationSec: Nullable(int),
  lineNumber: maybe,
  promiseDay: maybe,
  promiseAmount: Nullable(Paise()),
  transcript: Type.Array(Line),
})

export const aiTaskDetail = endpoint({
  method: 'GET',
  path: '/aiCall/task/detail',
  access,
  menu,
  input: Type.Object({ taskId: Id() }),
  data: Type.Object({ task: AiTaskRow, calls: Type.Array(AiCallShown) }),
  summary: 'A task with its calls and their transcripts',
})

/** Tasks of a case that are shown: the newest. */
export const CASE_TASKS_MOST = 20

export const caseAiCalls = endpoint({
  method: 'GET',
  path: '/aiCall/case/calls',
  access: ['pedding_list:view', 'peded_list:view'],
  menu: 'pedding_list',
  input: Type.Object({ caseId: Id() }),
  data: Type.Object({
    tasks: Type.Array(Type.Object({ ...taskFacts, calls: Type.Array(AiCallShown) }), {
      maxItems: CASE_TASKS_MOST,
    }),
  }),
  summary: 'Tasks of the robot for a case, newest first, with the transcripts of their calls',
})

export const createAiTasks = endpoint({
  method: 'POST',
  path: '/aiCall/task/create',
  access: ['ai_call_config:task'],
  menu,
  input: Type.Object(
    {
      configId: Id(),
      /** Cases, or loans; before its due day a loan has no case. */
      caseIds: Type.Optional(Type.Array(Id(), { maxItems: BULK_MAX })),
      orderIds: Type.Optional(Type.Array(Id(), { maxItems: BULK_MAX })),
      /** False: the tasks wait until they are resumed one by one. */
      schedule: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'task',
  summary: "Opens a task per loan; the robot calls the borrower's own number only",
})

export const steerAiTasks = endpoint({
  method: 'POST',
  path: '/aiCall/task/state',
  access: ['ai_call_config:task'],
  menu,
  input: Type.Object(
    {
      taskIds: Type.Array(Id(), { maxItems: BULK_MAX }),
      to: OneOf(['paused', 'pending', 'cancelled']),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'task',
  summary: 'Pauses, resumes or cancels tasks',
})

export const inboundAiCall = endpoint({
  method: 'POST',
  path: '/inbound/aiCall',
  access: { machine: 'aiCall' },
  menu,
  input: Type.Object(
    {
      callId: Id(),
      result: OneOf(AI_RESULTS),
      durationSec: Type.Integer({ minimum: 0, maximum: 7200 }),
      /** What the borrower promised, with result a. */
      promiseDay: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      promiseAmount: Type.Optional(Paise({ minimum: 100 })),
      transcript: Type.Optional(Type.Array(Line, { maxItems: 200 })),
    },
    strict,
  ),
  data: Type.Object({ taskId: text, state: text, applied: Type.Boolean() }),
  audit: 'aiCall',
  summary: 'Result of a call of the robot; duplicates change nothing',
})
