import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { errorsRoutes } from './errors-routes.ts'

export const errors: Feature = {
  routes: (base, { context }) => errorsRoutes(base, context),
}
