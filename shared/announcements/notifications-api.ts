import Type from 'typebox'
import { endpoint, Id, MapOf, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { SOUND_KINDS } from '#shared/preferences/preference-sets.ts'

/** Notifications of one person: what happened to their work. */
const NotificationRow = Type.Object({
  notificationId: Type.String(),
  kind: Type.String(),
  /** i18n key. */
  titleKey: Type.String(),
  params: MapOf(Type.Union([Type.String(), Type.Number()])),
  route: Nullable(Type.String()),
  time: Type.String(),
  readTime: Nullable(Type.String()),
})

const list = ListData(NotificationRow)

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notification/list',
  access: 'any',
  input: ListInput({
    kind: Type.Optional(OneOf(SOUND_KINDS)),
    unread: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ ...list.properties, unread: Type.Integer() }),
  summary: 'Own notifications, newest first, and the number of unread ones',
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/notification/read',
  access: 'any',
  input: Type.Object(
    { ids: Type.Optional(Type.Array(Id(), { maxItems: 200 })), all: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  data: Type.Object({ unread: Type.Integer() }),
  audit: 'notificationRead',
  summary: 'Marks some or all own notifications as read',
})
