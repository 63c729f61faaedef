import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { END_CAUSES } from '#shared/voice-calls/voice-call-sets.ts'
import { NODE_TYPES } from './node-sets.ts'
import { CONTACT_WAYS, SEGMENTS } from './tele-sets.ts'

/** Follow-ups as they were written. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

export const RecordRow = Type.Object({
  recordId: text,
  taskId: text,
  userId: text,
  segment: OneOf(SEGMENTS),
  /** One of FOLLOW_RESULTS. */
  result: int,
  /** Which follow-up of the task it is, and how many IST days after the loss. */
  count: int,
  lossDays: int,
  /** Of the node that gave the task. */
  taskType: Nullable(OneOf(NODE_TYPES)),
  nodeId: maybe,
  nodeName: maybe,
  /** Masked. */
  contactNumber: maybe,
  contactWay: OneOf(CONTACT_WAYS),
  remark: maybe,
  nextFollowTime: maybe,
  operatorId: text,
  operatorName: text,
  time: text,
  /** Of its call; null without one, or while its exchange has not reported the end. */
  durationSec: Nullable(int),
  endCause: Nullable(OneOf(END_CAUSES)),
})

export const listRecords = endpoint({
  method: 'GET',
  path: '/marketing/record/list',
  access: ['no_certified:view', 'unrequished:view', 'no_relented:view', 'loan_failed:view'],
  input: ListInput({
    taskId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    segment: Type.Optional(OneOf(SEGMENTS)),
    operatorId: Type.Optional(Id()),
    nodeId: Type.Optional(Id()),
    result: Type.Optional(Type.String({ maxLength: 60, pattern: '^\\d{2}(,\\d{2})*$' })),
    contactWay: Type.Optional(OneOf(CONTACT_WAYS)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(RecordRow),
  summary: 'Follow-ups: own ones, a leader’s those of the group, and all of a task one sees',
})
