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
import { ANNOUNCEMENT_STATES, POP_CONDITIONS } from './announcement-sets.ts'

/** Announcements to staff. */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }

export const AnnouncementRow = Type.Object({
  noticeId: text,
  title: text,
  content: text,
  status: OneOf(ANNOUNCEMENT_STATES),
  popCondition: OneOf(POP_CONDITIONS),
  /** Marks of roles; empty = everybody. */
  roles: Type.Array(text),
  /** Number of accounts it was shown to. */
  exposureCount: Type.Integer(),
  updateTime: text,
  updateBy: maybe,
  version: Type.Integer(),
})

export const listAnnouncements = endpoint({
  method: 'GET',
  path: '/notice/list',
  access: ['notice_list:view'],
  menu: 'notice_list',
  input: ListInput({
    title: Type.Optional(Text(1, 100)),
    status: Type.Optional(OneOf(ANNOUNCEMENT_STATES)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(AnnouncementRow),
  summary: 'Announcements, the newest change first',
})

const announcementFields = {
  title: Text(1, 100),
  /** Plain text; links http, https, mailto and tel only. */
  content: Text(1, 5000),
  status: OneOf(ANNOUNCEMENT_STATES),
  popCondition: OneOf(POP_CONDITIONS),
  roles: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 40, pattern: '^[a-z_]+$' }), {
      maxItems: 100,
      uniqueItems: true,
    }),
  ),
}

export const addAnnouncement = endpoint({
  method: 'POST',
  path: '/notice/add',
  access: ['notice_list:add'],
  menu: 'notice_list',
  input: Type.Object(announcementFields, strict),
  data: Type.Object({ noticeId: text }),
  audit: 'add',
  summary: 'Adds an announcement; published ones are shown at once',
})

export const editAnnouncement = endpoint({
  method: 'POST',
  path: '/notice/edit',
  access: ['notice_list:edit'],
  menu: 'notice_list',
  input: Type.Object({ noticeId: Id(), version: Version(), ...announcementFields }, strict),
  data: Type.Object({ noticeId: text }),
  audit: 'edit',
  summary: 'Changes an announcement',
})

export const setAnnouncementStatus = endpoint({
  method: 'POST',
  path: '/notice/status',
  access: ['notice_list:publish'],
  menu: 'notice_list',
  input: Type.Object(
    { noticeId: Id(), version: Version(), status: OneOf(['published', 'withdrawn']) },
    strict,
  ),
  data: AnnouncementRow,
  audit: 'publish',
  summary: 'Publishes or withdraws an announcement',
})

export const deleteAnnouncement = endpoint({
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
  /** Its condition makes it pop up in this session now. */
  popup: Type.Boolean(),
  /** When it was last shown to this person; null = never. */
  readTime: maybe,
  publishTime: text,
})

export const myAnnouncements = endpoint({
  method: 'GET',
  path: '/notice/mine',
  access: 'any',
  passive: true,
  input: Type.Object({}),
  data: Type.Object({ rows: Type.Array(MineRow) }),
  summary: 'Published announcements for the caller, newest first (at most 50)',
})

export const announcementShown = endpoint({
  method: 'POST',
  path: '/notice/exposed',
  access: 'any',
  input: Type.Object({ noticeId: Id() }, strict),
  data: Type.Object({ exposureCount: Type.Integer() }),
  audit: 'announcementShown',
  summary: 'Counts an exposure of an announcement, once per account',
})
