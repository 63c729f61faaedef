import { sql } from 'kysely'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { JOBS_AUDIENCE } from './jobs-audience.ts'
import { jobsRoutes } from './jobs-routes.ts'

export const jobs: Feature = {
  audience: JOBS_AUDIENCE,
  hooks: {
    retained: [
      {
        name: 'jobs',
        table: 'job',
        term: 'retention.jobDays',
        isOver: (before) => sql`r.state not in ('queued', 'running') and r.created_at < ${before}`,
      },
    ],
  },
  routes: (base, { context }) => jobsRoutes(base, context),
}
