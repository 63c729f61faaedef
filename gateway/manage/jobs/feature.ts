import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { JOBS_AUDIENCE } from './jobs-audience.ts'
import { jobsRoutes } from './jobs-routes.ts'

export const jobs: Feature = {
  audience: JOBS_AUDIENCE,
  routes: (base, { context }) => jobsRoutes(base, context),
}
