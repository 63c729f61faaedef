import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { preferencesRoutes } from './preferences-routes.ts'

export const preferences: Feature = {
  routes: (base, { context }) => preferencesRoutes(base, context),
}
