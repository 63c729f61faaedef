import Type from 'typebox'
import {
  Day,
  endpoint,
  Id,
  Nullable,
  OneOf,
  Text,
  Time,
  Token,
  Version,
} from '#shared/kernel/endpoint.ts'
import { WHATSAPP_WAYS } from '#shared/collection/collection-sets.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { PRESS_ANSWERS } from '#shared/voice-calls/voice-call-sets.ts'
import { VoiceCallNow } from '#shared/voice-calls/voice-calls-api.ts'
import { NODE_TYPES } from './node-sets.ts'
import { RecordRow } from './record-api.ts'
import { TASK_STATES } from './task-lifecycle.ts'
import { CLOSE_CAUSES, CONTACT_WAYS, LANES, LAST_STEPS, SEGMENTS } from './tele-sets.ts'

/** Telemarketing: tasks, claims and follow-ups. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const count = Nullable(int)
const strict = { additionalProperties: false }
const VIEW = [
  'no_certified:view',
  'unrequished:view',
  'no_relented:view',
  'loan_failed:view',
] as const
const FOLLOW = [
  'no_certified:follow',
  'unrequished:follow',
  'no_relented:follow',
  'loan_failed:follow',
] as const
const CALL = [
  'no_certified:call',
  'unrequished:call',
  'no_relented:call',
  'loan_failed:call',
] as const

export const TeleRow = Type.Object({
  taskId: text,
  userId: text,
  userName: text,
  /** Masked. */
  phone: text,
  segment: OneOf(SEGMENTS),
  state: OneOf(TASK_STATES),
  /** Since when the customer is in the segment, and for how many IST days. */
  lossTime: text,
  lossDays: int,
  /** How far an uncertified customer came. */
  lastStep: OneOf(LAST_STEPS),
  assigneeId: maybe,
  assigneeName: maybe,
  followCount: int,
  lastResult: count,
  lastFollowTime: maybe,
  nextFollowTime: maybe,
  converted: Type.Boolean(),
  convertTime: maybe,
  closeCause: Nullable(OneOf(CLOSE_CAUSES)),
  appName: text,
  channelName: text,
  registerTime: text,
  entryCount: int,
  /** The customer's credit in paise, and its last day. */
  finalLimit: count,
  creditTime: maybe,
  limitValidUntil: maybe,
  /** The loan the segment is about. */
  lastOrderId: maybe,
  lastAmount: count,
  settledTime: maybe,
  settlementCount: int,
  maxOverdueDays: int,
  failReason: maybe,
  attemptNo: int,
  /** Of the newest failed transfer (HANDLING_METHODS). */
  handlingMethod: maybe,
  bindState: maybe,
  /** The unused coupon the customer was given last. */
  couponName: maybe,
  /** The node that contacted the customer last, or holds them out. */
  nodeId: maybe,
  nodeName: maybe,
  taskType: Nullable(OneOf(NODE_TYPES)),
  /** Held out by the node: nobody contacts the customer until then. */
  heldUntil: maybe,
  leaseUntil: maybe,
  token: int,
  version: int,
})

const Least = () => Type.Optional(Type.Integer({ minimum: 0, maximum: 9_999 }))

export const listTasks = endpoint({
  method: 'GET',
  path: '/marketing/task/list',
  access: VIEW,
  exports: SEGMENTS.map((segment) => ({ code: `${segment}:export`, when: { segment: [segment] } })),
  file: { path: '/export/marketing/task' },
  input: ListInput({
    segment: OneOf(SEGMENTS),
    taskId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
    assigneeId: Type.Optional(Id()),
    unassigned: Type.Optional(Type.Boolean()),
    lane: Type.Optional(OneOf(LANES)),
    nodeId: Type.Optional(Id()),
    taskType: Type.Optional(OneOf(NODE_TYPES)),
    lastResult: Type.Optional(Type.String({ maxLength: 60, pattern: '^\\d{2}(,\\d{2})*$' })),
    lossDaysFrom: Least(),
    lossDaysTo: Least(),
    followCountFrom: Least(),
    followCountTo: Least(),
    nextFollowFrom: Type.Optional(Day()),
    nextFollowTo: Type.Optional(Day()),
    converted: Type.Optional(Type.Boolean()),
    /** Days on which the task ended. */
    endedFrom: Type.Optional(Day()),
    endedTo: Type.Optional(Day()),
    /** The person, and the group of the person, who is credited with the conversion. */
    creditedTo: Type.Optional(Id()),
    creditedGroup: Type.Optional(Id()),
    appId: Type.Optional(Text(1, 200)),
    channelId: Type.Optional(Text(1, 200)),
  }),
  data: Type.Object({
    ...ListData(TeleRow).properties,
    /** Customers nobody has; what the caller holds, claimed and kept; converted today (IST). */
    counts: Type.Object({
      waiting: int,
      mine: int,
      due: int,
      convertedToday: int,
      maxClaimed: int,
    }),
  }),
  summary: 'Customers of a segment to bring back',
})

const Named = Type.Array(Type.Object({ id: text, name: text }))

export const taskOptions = endpoint({
  method: 'GET',
  path: '/marketing/task/options',
  access: VIEW,
  input: Type.Object({}),
  data: Type.Object({
    apps: Named,
    channels: Named,
    nodes: Named,
    /** Telemarketers of the caller's team; of all teams for a caller who leads all. */
    people: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
    groups: Named,
  }),
  summary: 'Apps, channels, nodes, people and teams by which customers to bring back are filtered',
})

const Slot = Type.Object({ days: Type.Array(int), from: text, to: text })

export const taskDetail = endpoint({
  method: 'GET',
  path: '/marketing/task/detail',
  access: VIEW,
  input: Type.Object({ taskId: Id() }),
  data: Type.Object({
    task: TeleRow,
    /** Newest first, of all tasks of the customer. */
    records: Type.Array(RecordRow),
    /** What the contact gate asks, as of `asOf`. */
    promotion: Type.Object({
      callFrom: text,
      callTo: text,
      noContact: Type.Array(Slot),
      dnd: Type.Boolean(),
      blacklisted: Type.Boolean(),
      stopped: Type.Boolean(),
      callsToday: int,
      callsWeek: int,
      perDay: int,
      perWeek: int,
      lineUsed: count,
      lineCap: count,
      busyLine: Nullable(Type.Object({ number: text, n: int, freeTime: text })),
    }),
    /** How the caller writes by WhatsApp. */
    whatsapp: OneOf(WHATSAPP_WAYS),
    /** The caller's call on this task that has no follow-up yet. */
    openCall: Nullable(
      Type.Object({
        callId: text,
        way: OneOf(CONTACT_WAYS),
        /** Null: no exchange rings it, the caller dials. */
        exchange: Nullable(VoiceCallNow),
      }),
    ),
    asOf: text,
  }),
  summary: 'One task with its follow-ups and what the contact gate asks',
})

export const claimTask = endpoint({
  method: 'POST',
  path: '/marketing/task/claim',
  access: FOLLOW,
  input: Type.Object(
    {
      segment: OneOf(SEGMENTS),
      taskId: Type.Optional(Id()),
      /** The caller's own follow-ups that are due come before customers of the pool. */
      dueFirst: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: TeleRow,
  audit: 'claim',
  summary: 'Claims the next customer of a segment, or a named one',
})

export const renewTask = endpoint({
  method: 'POST',
  path: '/marketing/task/renew',
  access: FOLLOW,
  input: Type.Object({ taskId: Id(), token: Token(), lastInputTime: Time() }, strict),
  data: Type.Object({ leaseUntil: maybe, idleUntil: maybe, liveUntil: maybe }),
  passive: true,
  summary: 'Heartbeat of a claim until the first follow-up',
})

export const releaseTask = endpoint({
  method: 'POST',
  path: '/marketing/task/release',
  access: FOLLOW,
  input: Type.Object({ taskId: Id(), version: Version(), token: Token() }, strict),
  data: TeleRow,
  audit: 'release',
  summary: 'Returns a customer to the pool',
})

export const callTask = endpoint({
  method: 'POST',
  path: '/marketing/task/call',
  access: CALL,
  input: Type.Object({ taskId: Id(), token: Token(), way: OneOf(CONTACT_WAYS) }, strict),
  data: Type.Object({
    callId: text,
    /** Of the line; null for a WhatsApp link. */
    seatNumber: maybe,
    /** Opens WhatsApp with the number of the customer; answered once, and logged. */
    link: maybe,
    /** Null: the app has no exchange, the caller dials. */
    exchange: Nullable(OneOf(PRESS_ANSWERS)),
  }),
  audit: 'call',
  summary: 'Starts a call through the promotional line of the caller, or a WhatsApp message',
})

export const followTask = endpoint({
  method: 'POST',
  path: '/marketing/task/follow',
  access: FOLLOW,
  input: Type.Object(
    {
      taskId: Id(),
      version: Version(),
      token: Token(),
      /** One of FOLLOW_RESULTS. */
      result: int,
      contactWay: OneOf(CONTACT_WAYS),
      remark: Type.Optional(Type.String({ maxLength: 500 })),
      nextFollowTime: Type.Optional(Time()),
      callId: Type.Optional(Id()),
      /** A coupon the customer is given with it. */
      couponId: Type.Optional(Id()),
    },
    strict,
  ),
  data: TeleRow,
  audit: 'follow',
  summary: 'Stores the result of a contact',
})
