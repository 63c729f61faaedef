import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { viewsRoutes } from './views-routes.ts'

export const views: Feature = {
  routes: (base, { context }) => viewsRoutes(base, context),
}
