import Type from 'typebox'
import {
  Day,
  endpoint,
  Id,
  Nothing,
  Nullable,
  OneOf,
  Text,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { NOTICE_STATES, POP_CONDITIONS } from './notice-sets.ts'

/** Announcements to staff (api.md 1, 20; screens.md 7.18). */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }

export const NoticeRow = Type.Object({
  noticeId: text,
  title: text,
  content: text,
  status: OneOf(NOTICE_STATES),
  popCondition: OneOf(POP_CONDITIONS),
  /** Unique marks; empty = everybody. */
  roles: Type.Array(text),
  /** Accounts it was shown to. */
  exposureCount: Type.Integer(),
  updateTime: text,
  updateBy: maybe,
  version: Type.Integer(),
})

export const listNotices = endpoint({
  method: 'GET',
  path: '/notice/list',
  access: ['notice_list:view'],
  menu: 'notice_list',
  input: ListInput({
    title: Type.Optional(Text(1, 100)),
    status: Type.Optional(OneOf(NOTICE_STATES)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(NoticeRow),
  summary: 'Announcements, the newest change first',
})

const noticeFields = {
  title: Text(1, 100),
  /** Plain text; links http, https, mailto and tel only. */
  content: Text(1, 5000),
  status: OneOf(NOTICE_STATES),
  popCondition: OneOf(POP_CONDITIONS),
  roles: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 40, pattern: '^[a-z_]+$' }), {
      maxItems: 100,
      uniqueItems: true,
    }),
  ),
}

export const addNotice = endpoint({
  method: 'POST',
  path: '/notice/add',
  access: ['notice_list:add'],
  menu: 'notice_list',
  input: Type.Object(noticeFields, strict),
  data: Type.Object({ noticeId: text }),
  audit: 'add',
  summary: 'Adds an announcement; published ones are shown at once',
})

export const editNotice = endpoint({
  method: 'POST',
  path: '/notice/edit',
  access: ['notice_list:edit'],
  menu: 'notice_list',
  input: Type.Object({ noticeId: Id(), version: Version(), ...noticeFields }, strict),
  data: Type.Object({ noticeId: text }),
  audit: 'edit',
  summary: 'Changes an announcement',
})

export const setNoticeStatus = endpoint({
  method: 'POST',
  path: '/notice/status',
  access: ['notice_list:publish'],
  menu: 'notice_list',
  input: Type.Object(
    { noticeId: Id(), version: Version(), status: OneOf(['published', 'withdrawn']) },
    strict,
  ),
  data: NoticeRow,
  audit: 'publish',
  summary: 'Publishes an announcement or takes it back',
})

export const deleteNotice = endpoint({
  method: 'DELETE',
  path: '/notice/delete',
  access: ['notice_list:delete'],
  menu: 'notice_list',
  input: Type.Object({ noticeId: Id(), version: Version() }, strict),
  data: Nothing(),
  audit: 'delete',
  summary: 'Deletes an announcement',
})

export const MineRow = Type.Object({
  noticeId: text,
  title: text,
  content: text,
  /** By its condition it stands in the middle of this session's screen now. */
  popup: Type.Boolean(),
  /** When it was last shown to this person; null = never. */
  readTime: maybe,
  publishTime: text,
})

export const myNotices = endpoint({
  method: 'GET',
  path: '/notice/mine',
  access: 'any',
  passive: true,
  input: Type.Object({}),
  data: Type.Object({ rows: Type.Array(MineRow) }),
  summary: 'Published announcements for the caller, the newest first (at most 50)',
})

export const noticeShown = endpoint({
  method: 'POST',
  path: '/notice/exposed',
  access: 'any',
  input: Type.Object({ noticeId: Id() }, strict),
  data: Type.Object({ exposureCount: Type.Integer() }),
  audit: 'noticeShown',
  summary: 'An announcement was shown to the caller; counted once per account',
})
