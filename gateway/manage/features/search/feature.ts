import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { searchRoutes } from './search-routes.ts'

export const search: Feature = {
  routes: (base, { context }) => searchRoutes(base, context),
}
