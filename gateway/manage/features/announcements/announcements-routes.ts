import type { FastifyInstance } from 'fastify'
import * as announcements from '#shared/announcements/announcements-api.ts'
import { announcementExposure } from '#shared/announcements/exposure-api.ts'
import * as api from '#shared/announcements/notifications-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { deleteAnnouncement } from './delete-announcement.ts'
import { announcementsFor, exposureOf, listAnnouncements } from './announcement-queries.ts'
import { findNotifications } from './notification-queries.ts'
import { publishAnnouncement } from './publish-announcement.ts'
import { readNotifications } from './read-notifications.ts'
import { addAnnouncement, editAnnouncement } from './save-announcement.ts'
import { showAnnouncement } from './show-announcement.ts'

export function announcementsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listNotifications, ({ db, actor }, input) =>
    findNotifications(db, actor.userId, input),
  )
  serveCommand(app, context, api.readNotifications, (tx, input) => readNotifications(tx, input))

  serveQuery(app, context, announcements.listAnnouncements, ({ db }, input) =>
    listAnnouncements(db, input),
  )
  serveQuery(app, context, announcementExposure, ({ db }, { noticeId }) => exposureOf(db, noticeId))
  serveQuery(app, context, announcements.myAnnouncements, ({ db, actor }) =>
    announcementsFor(db, actor),
  )
  serveCommand(app, context, announcements.addAnnouncement, async (tx, input) => ({
    noticeId: await addAnnouncement(tx, input),
  }))
  serveCommand(app, context, announcements.editAnnouncement, async (tx, input) => {
    await editAnnouncement(tx, input)
    return { noticeId: input.noticeId }
  })
  serveCommand(app, context, announcements.setAnnouncementStatus, (tx, input) =>
    publishAnnouncement(tx, input),
  )
  serveCommand(app, context, announcements.deleteAnnouncement, async (tx, input) => {
    await deleteAnnouncement(tx, input)
    return null
  })
  serveCommand(app, context, announcements.announcementShown, async (tx, { noticeId }) => ({
    exposureCount: await showAnnouncement(tx, noticeId),
  }))
}
