import { REPORTS_MENU } from '#shared/reports/reports-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { reportAlerts } from './alerts/alerts-job.ts'
import { reportBackfill } from './backfill-job.ts'
import { reportRefresh } from './refresh-job.ts'
import { morningReports } from './subscriptions/morning-job.ts'
import { morningMail } from './subscriptions/morning-mail-job.ts'
import { reportsRoutes } from './reports-routes.ts'

export const reports: Feature = {
  menu: REPORTS_MENU,
  schedules: ({ vendors: { messages } }) => [
    reportRefresh,
    reportAlerts,
    morningReports,
    ...(messages === null ? [] : [morningMail(messages)]),
  ],
  jobTypes: [reportBackfill],
  routes: (base, { context, vendors: { messages } }) => reportsRoutes(base, context, messages),
}
