import { sql } from 'kysely'
import { ANNOUNCEMENTS_MENU } from '#shared/announcements/announcements-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { announcementsRoutes } from './announcements-routes.ts'

export const announcements: Feature = {
  menu: ANNOUNCEMENTS_MENU,
  hooks: {
    retained: [
      {
        name: 'notifications',
        table: 'notification',
        byMonth: true,
        term: 'retention.notificationDays',
        isOver: (before) => sql`r.at < ${before}`,
      },
    ],
  },
  routes: (base, { context }) => announcementsRoutes(base, context),
}
