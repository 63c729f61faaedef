import { ANNOUNCEMENTS_MENU } from '#shared/announcements/announcements-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { announcementsRoutes } from './announcements-routes.ts'

export const announcements: Feature = {
  menu: ANNOUNCEMENTS_MENU,
  routes: (base, { context }) => announcementsRoutes(base, context),
}
