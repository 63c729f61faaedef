import { AI_CALLS_MENU } from '#shared/ai-calls/ai-calls-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { aiCalls as aiCallsClass } from './ai-call-job.ts'
import { aiCallsRoutes } from './ai-calls-routes.ts'
import { createTaskJob } from './open-tasks.ts'
import { TRANSCRIPT_PLACE } from './receive-call.ts'
import { steerTaskJob } from './steer-tasks.ts'

export const aiCalls: Feature = {
  menu: AI_CALLS_MENU,
  sealed: [
    {
      place: TRANSCRIPT_PLACE,
      table: 'ai_call',
      column: 'transcript_enc',
      only: 'transcript_enc is not null',
    },
  ],
  jobTypes: [createTaskJob, steerTaskJob],
  schedules: ({ vendors: { aiCalls: robots } }) => (robots ? [aiCallsClass(robots)] : []),
  outside: ({ vendors: { aiCalls: robots } }) => (robots ? [robots] : []),
  routes: (base, { context }) => aiCallsRoutes(base, context),
}
