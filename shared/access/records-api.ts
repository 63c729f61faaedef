import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Time } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** Who did what, and what went wrong in browsers (api.md 22). Nothing of it can be changed. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

export const RECORD_RESULTS = ['ok', 'refused'] as const

export const RecordRow = Type.Object({
  logId: text,
  time: text,
  /** Null: the system, or somebody not signed in. */
  operatorId: maybe,
  operatorName: maybe,
  roleMark: maybe,
  roleName: maybe,
  menu: maybe,
  /** i18n key; null for what belongs to no menu. */
  menuTitle: maybe,
  action: text,
  targetKind: maybe,
  targetId: maybe,
  /** As stored: personal data is masked, passwords are never in it. */
  before: Type.Unknown(),
  after: Type.Unknown(),
  /** `ok`, or `refused:` and the id of the problem. */
  result: text,
  ip: maybe,
  agent: maybe,
  requestId: maybe,
  /** Its number in the chain; null for the second until it is sealed. */
  chainNo: Nullable(int),
})

export const listRecords = endpoint({
  method: 'POST',
  path: '/operateLog/List',
  exports: [{ code: 'operate_record:export' }],
  file: { path: '/export/operateLog' },
  access: ['operate_record:view'],
  menu: 'operate_record',
  /** `target` is an id or `kind:id`; without it a range of time is wanted. */
  input: Type.Object(
    {
      ...ListInput({}).properties,
      operatorId: Type.Optional(Id()),
      menu: Type.Optional(Text(1, 60)),
      action: Type.Optional(Text(1, 60)),
      target: Type.Optional(Text(1, 100)),
      result: Type.Optional(OneOf(RECORD_RESULTS)),
      ip: Type.Optional(Text(1, 64)),
      timeFrom: Type.Optional(Time()),
      timeTo: Type.Optional(Time()),
    },
    strict,
  ),
  data: ListData(RecordRow),
  summary: 'Operation log',
})

export const recordSelectors = endpoint({
  method: 'GET',
  path: '/operateLog/pageSelectors',
  access: ['operate_record:view'],
  menu: 'operate_record',
  input: Type.Object({}),
  data: Type.Object({
    operators: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
    menus: Type.Array(Type.Object({ name: text, title: text })),
    actions: Type.Array(text),
  }),
  summary: 'What the operation log can be filtered by',
})

export const verifyRecords = endpoint({
  method: 'GET',
  path: '/operateLog/verify',
  access: ['operate_record:view'],
  menu: 'operate_record',
  /** Part by part, so that a long log stops nobody: `after` is the `next` of the answer before. */
  input: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991, default: 0 })),
  }),
  data: Type.Object({
    /** The last number checked, of how many. */
    checked: int,
    total: int,
    /** The first number at which a record was changed, removed, moved or put in. */
    brokenAt: Nullable(int),
    /** Where to go on; null at the end. */
    next: Nullable(int),
    /** Written to the process log each minute as well, where a tail that was cut off shows. */
    end: Type.Object({ no: int, hash: text }),
    /** Too new to be sealed. */
    waiting: int,
  }),
  summary: 'Recomputes a part of the chain of the operation log',
})

export const ClientErrorRow = Type.Object({
  errorId: text,
  time: text,
  userName: text,
  message: text,
  url: text,
  version: text,
  count: int,
})

export const listClientErrors = endpoint({
  method: 'GET',
  path: '/client/error/list',
  access: ['operate_record:view'],
  menu: 'operate_record',
  input: ListInput({
    message: Type.Optional(Text(1, 200)),
    version: Type.Optional(Text(1, 60)),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(ClientErrorRow),
  summary: 'Errors of browsers: the same one of a version and page is one row',
})
