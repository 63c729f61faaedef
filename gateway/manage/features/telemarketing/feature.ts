import { TELE_MENU } from '#shared/telemarketing/tele-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { releaseLeasesOf, returnTasksOf } from './desk/return-task.ts'
import { nodeJob } from './nodes/node-job.ts'
import { nodeMessages } from './nodes/node-messages-job.ts'
import { nodeRuns } from './nodes/node-schedule.ts'
import { allocationJob, statusJob } from './persons/save-person.ts'
import { teleTasks } from './segments/task-follow-job.ts'
import { TELE_AUDIENCE } from './tele-audience.ts'
import { teleData } from './tele-data.ts'
import { TELE_HOME } from './tele-home.ts'
import { teleRoutes } from './tele-routes.ts'

export const telemarketing: Feature = {
  menu: TELE_MENU,
  audience: TELE_AUDIENCE,
  hooks: {
    whenStaffStops: [returnTasksOf],
    onLogout: [releaseLeasesOf],
    home: [TELE_HOME],
    personalData: [teleData],
  },
  jobTypes: [nodeJob, allocationJob, statusJob],
  // without a vendor messages stay due until there is one
  schedules: ({ vendors: { messages } }) => [
    teleTasks,
    nodeRuns,
    ...(messages ? [nodeMessages(messages)] : []),
  ],
  routes: (base, { context }) => teleRoutes(base, context),
}
