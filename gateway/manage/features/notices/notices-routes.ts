import type { FastifyInstance } from 'fastify'
import * as announcements from '#shared/notices/announcements-api.ts'
import * as api from '#shared/notices/notices-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { deleteNotice } from './delete-notice.ts'
import { listNotices, noticesFor } from './notice-queries.ts'
import { findNotifications } from './notification-queries.ts'
import { publishNotice } from './publish-notice.ts'
import { readNotifications } from './read-notifications.ts'
import { addNotice, editNotice } from './save-notice.ts'
import { showNotice } from './show-notice.ts'

export function noticesRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listNotifications, ({ db, actor }, input) =>
    findNotifications(db, actor.userId, input),
  )
  serveCommand(app, house, api.readNotifications, (cx, input) => readNotifications(cx, input))

  serveQuery(app, house, announcements.listNotices, ({ db }, input) => listNotices(db, input))
  serveQuery(app, house, announcements.myNotices, ({ db, actor }) => noticesFor(db, actor))
  serveCommand(app, house, announcements.addNotice, async (cx, input) => ({
    noticeId: await addNotice(cx, input),
  }))
  serveCommand(app, house, announcements.editNotice, async (cx, input) => {
    await editNotice(cx, input)
    return { noticeId: input.noticeId }
  })
  serveCommand(app, house, announcements.setNoticeStatus, (cx, input) => publishNotice(cx, input))
  serveCommand(app, house, announcements.deleteNotice, async (cx, input) => {
    await deleteNotice(cx, input)
    return null
  })
  serveCommand(app, house, announcements.noticeShown, async (cx, { noticeId }) => ({
    exposureCount: await showNotice(cx, noticeId),
  }))
}
