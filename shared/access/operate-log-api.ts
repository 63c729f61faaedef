import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Time } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** The operate log and the errors of browsers. Read only. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

export const LOG_RESULTS = ['ok', 'refused'] as const

export const LogEntryRow = Type.Object({
  logId: text,
  time: text,
  /** Null: the system, or somebody who is not logged in. */
  operatorId: maybe,
  operatorName: maybe,
  roleMark: maybe,
  roleName: maybe,
  menu: maybe,
  /** i18n key; null without a menu. */
  menuTitle: maybe,
  action: text,
  targetKind: maybe,
  targetId: maybe,
  /** As stored: personal data is masked, passwords are never part of it. */
  before: Type.Unknown(),
  after: Type.Unknown(),
  /** `ok`, or `refused:` and the problem id. */
  result: text,
  ip: maybe,
  agent: maybe,
  requestId: maybe,
  /** The number in the hash chain; null for about a second until it is sealed. */
  chainNo: Nullable(int),
})

export const listOperateLog = endpoint({
  method: 'POST',
  path: '/operateLog/List',
  exports: [{ code: 'operate_record:export' }],
  file: { path: '/export/operateLog' },
  access: ['operate_record:view'],
  menu: 'operate_record',
  /** `target` is an id or `kind:id`; without it a time range is required. */
  input: Type.Object(
    {
      ...ListInput({}).properties,
      operatorId: Type.Optional(Id()),
      menu: Type.Optional(Text(1, 60)),
      action: Type.Optional(Text(1, 60)),
      target: Type.Optional(Text(1, 100)),
      result: Type.Optional(OneOf(LOG_RESULTS)),
      ip: Type.Optional(Text(1, 64)),
      timeFrom: Type.Optional(Time()),
      timeTo: Type.Optional(Time()),
    },
    strict,
  ),
  data: ListData(LogEntryRow),
  summary: 'Operate log',
})

export const operateLogSelectors = endpoint({
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
  summary: 'Filter values of the operate log',
})

export const verifyOperateLog = endpoint({
  method: 'GET',
  path: '/operateLog/verify',
  access: ['operate_record:view'],
  menu: 'operate_record',
  /**
   * In parts, so that a long log does not block other calls: `after` is the `next` of the previous
   * answer.
   */
  input: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991, default: 0 })),
  }),
  data: Type.Object({
    /** The last number verified, and the total. */
    checked: int,
    total: int,
    /** The first number at which an entry was changed, removed, moved or inserted. */
    brokenAt: Nullable(int),
    /** Where to continue; null at the end. */
    next: Nullable(int),
    /** Also written to the process log each minute, which reveals an end that was cut off. */
    end: Type.Object({ no: int, hash: text }),
    /** Too new to be sealed. */
    waiting: int,
    /** Entries up to this number were exported and removed after their term; 0 = none. */
    removed: int,
  }),
  summary: 'Verifies a part of the hash chain of the operate log',
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
  summary: 'Errors of browsers, one row per version, page and message',
})
