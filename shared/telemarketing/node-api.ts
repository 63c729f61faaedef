import Type from 'typebox'
import { ConditionSchema } from '#shared/conditions/condition.ts'
import { Day, endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { Offer } from '#shared/coupons/coupons-api.ts'
import {
  COUPON_EXCLUSIONS,
  NODE_ACTIONS,
  NODE_EXCLUSIONS,
  NODE_MESSAGE_STATES,
  NODE_TYPES,
  NODE_WAYS,
  PACKAGE_SHEET,
  RUN_STATES,
} from './node-sets.ts'
import { SEGMENTS } from './tele-sets.ts'

/** Marketing nodes: who of a segment is contacted, when and how; their runs and messages. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const count = Nullable(int)
const strict = { additionalProperties: false }
const menu = 'marketing_stage'
const VIEW = ['marketing_stage:view'] as const

/** Who the node takes. */
const Who = {
  type: OneOf(NODE_TYPES),
  segment: OneOf(SEGMENTS),
  /** Null = everybody on the list; a node of type batchRun has one. */
  condition: Nullable(ConditionSchema()),
  /** Stands in the segment for at least so many IST days, so many hours. */
  dateDays: Nullable(Type.Integer({ minimum: 0, maximum: 365 })),
  timeHours: Nullable(Type.Integer({ minimum: 0, maximum: 720 })),
  /** Null = each customer once; else again after so many days. */
  againDays: Nullable(Type.Integer({ minimum: 1, maximum: 365 })),
  action: OneOf(NODE_ACTIONS),
  /** Per cent of the customers who are not contacted. */
  holdout: Type.Integer({ minimum: 0, maximum: 50 }),
}

const Fields = {
  name: Text(1, 50),
  ...Who,
  /** Of an action with messages. */
  messageWay: Nullable(OneOf(NODE_WAYS)),
  /** Granted to everybody who is contacted: one unused of a kind per customer. */
  couponId: Nullable(Id()),
  effective: Type.Boolean(),
}

const Bound = Nullable(int)

/** What contacts achieved, against those held out. */
const Effect = {
  /** Customers who reached the goal within seven days, of those contacted and of those held out. */
  contactedCount: int,
  contactedReached: int,
  heldOutCount: int,
  heldOutReached: int,
  /** Basis points, with the bounds of the 95 % interval; null while a group is too small. */
  contactedRate: Bound,
  heldOutRate: Bound,
  uplift: Bound,
  upliftLow: Bound,
  upliftHigh: Bound,
}

export const NodeRow = Type.Object({
  nodeId: text,
  ...Fields,
  /** Customers on the list of a package. */
  packageCount: int,
  couponName: maybe,
  /** The coupon is switched off: the node continues without it. */
  couponOff: Type.Boolean(),
  matchedLast: count,
  lastRunTime: maybe,
  isRunning: Type.Boolean(),
  updateBy: text,
  updateTime: text,
  version: int,
})

export const listNodes = endpoint({
  method: 'GET',
  path: '/marketing/node/list',
  access: VIEW,
  menu,
  input: ListInput({
    nodeId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 50)),
    type: Type.Optional(OneOf(NODE_TYPES)),
    segment: Type.Optional(OneOf(SEGMENTS)),
    effective: Type.Optional(Type.Boolean()),
  }),
  /** With what all its runs achieved. */
  data: ListData(Type.Object({ ...NodeRow.properties, ...Effect })),
  summary: 'Marketing nodes',
})

const Named = Type.Array(Type.Object({ id: text, name: text }))

export const nodeOptions = endpoint({
  method: 'GET',
  path: '/marketing/node/options',
  access: VIEW,
  menu,
  input: Type.Object({}),
  data: Type.Object({ apps: Named, channels: Named, coupons: Type.Array(Type.Object(Offer)) }),
  summary: 'Apps and channels that conditions may name, and coupons a node may grant',
})

const Exclusions = Type.Array(Type.Object({ why: OneOf(NODE_EXCLUSIONS), n: int }))

export const nodeAudience = endpoint({
  method: 'POST',
  path: '/marketing/node/audience',
  access: VIEW,
  menu,
  input: Type.Object(
    { ...Who, nodeId: Type.Optional(Id()), couponId: Type.Optional(Nullable(Id())) },
    strict,
  ),
  data: Type.Object({
    /** In the segment and matching; taken and excluded add up to it. */
    matched: int,
    taken: int,
    /** Of those taken. */
    heldOut: int,
    excluded: Exclusions,
    /** What the coupon of the node would come to; null without one. */
    coupon: Nullable(
      Type.Object({
        /** Coupons granted at most: who of those without room for one is held out is by chance. */
        given: int,
        isExact: Type.Boolean(),
        /** Of those taken. */
        without: Type.Array(Type.Object({ why: OneOf(COUPON_EXCLUSIONS), n: int })),
        /** Paise they may come to, and what the budget leaves now; null = no cap, no budget. */
        worth: count,
        left: count,
        budget: count,
        /** At least 80 % of the budget would be granted. */
        isNearBudget: Type.Boolean(),
      }),
    ),
    asOf: text,
  }),
  passive: true,
  summary: 'How many customers and coupons a node would take now, and why others are left out',
})

export const addNode = endpoint({
  method: 'POST',
  path: '/marketing/node/add',
  access: ['marketing_stage:add'],
  menu,
  input: Type.Object(Fields, strict),
  data: NodeRow,
  audit: 'addNode',
  summary: 'Adds a marketing node',
})

export const editNode = endpoint({
  method: 'POST',
  path: '/marketing/node/edit',
  access: ['marketing_stage:edit'],
  menu,
  input: Type.Object({ nodeId: Id(), version: Version(), ...Fields }, strict),
  data: NodeRow,
  audit: 'editNode',
  summary: 'Changes a marketing node; runs that began go on as they were',
})

export const setNodeStatus = endpoint({
  method: 'POST',
  path: '/marketing/node/status',
  access: ['marketing_stage:status'],
  menu,
  input: Type.Object({ nodeId: Id(), version: Version(), effective: Type.Boolean() }, strict),
  data: NodeRow,
  audit: 'setNodeStatus',
  summary: 'Switches a node on or off; only those on are run',
})

export const setPackage = endpoint({
  method: 'POST',
  path: '/marketing/node/package',
  access: ['marketing_stage:edit'],
  menu,
  input: Type.Object(
    {
      nodeId: Id(),
      /** Pasted customer ids; a sheet is sent as a file beside it or instead. */
      list: Type.Optional(Text(0, 2_000_000)),
    },
    strict,
  ),
  files: { name: 'file', least: 0, most: 1, ...PACKAGE_SHEET },
  data: Type.Object({
    /** Customers of the list now. */
    total: int,
    /** Ids nobody has, repeated ones, and words that are no ids. */
    unknown: int,
    repeated: int,
    unreadable: int,
  }),
  audit: 'setPackage',
  summary: 'Replaces the customer list of a package',
})

export const runNode = endpoint({
  method: 'POST',
  path: '/marketing/node/run',
  access: ['marketing_stage:run'],
  menu,
  input: Type.Object({ nodeId: Id() }, strict),
  data: Type.Object({ runId: text, jobId: text }),
  audit: 'runNode',
  idempotency: 'required',
  summary: 'Runs a node now, as a job',
})

export const RunRow = Type.Object({
  runId: text,
  nodeId: text,
  nodeName: text,
  segment: OneOf(SEGMENTS),
  state: OneOf(RUN_STATES),
  /** Null = by schedule. */
  startBy: maybe,
  startTime: text,
  endTime: maybe,
  matched: count,
  taken: count,
  heldOut: count,
  /** Customers who were worked off, given to a telemarketer, and sent a message. */
  done: int,
  assigned: int,
  messages: int,
  /** Coupons granted, and why customers who were contacted got none. */
  coupons: int,
  withoutCoupon: Type.Array(Type.Object({ why: OneOf(COUPON_EXCLUSIONS), n: int })),
  excluded: Exclusions,
  ...Effect,
})

export const listRuns = endpoint({
  method: 'GET',
  path: '/marketing/run/list',
  access: VIEW,
  menu,
  input: ListInput({
    nodeId: Type.Optional(Id()),
    segment: Type.Optional(OneOf(SEGMENTS)),
    state: Type.Optional(OneOf(RUN_STATES)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(RunRow),
  summary: 'Runs of nodes: whom they took, why others were left out, and what they achieved',
})

export const MessageRow = Type.Object({
  messageId: text,
  nodeId: text,
  nodeName: text,
  userId: text,
  way: OneOf(NODE_WAYS),
  template: text,
  state: OneOf(NODE_MESSAGE_STATES),
  tries: int,
  time: maybe,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/marketing/message/list',
  access: ['marketing_stage:message'],
  menu,
  input: ListInput({
    nodeId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    way: Type.Optional(OneOf(NODE_WAYS)),
    state: Type.Optional(OneOf(NODE_MESSAGE_STATES)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(MessageRow),
  exports: [{ code: 'marketing_stage:message' }],
  file: { path: '/export/message' },
  summary: 'Messages that nodes sent, and their state',
})
