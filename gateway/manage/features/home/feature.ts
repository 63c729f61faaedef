import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { homeRoutes } from './home-routes.ts'

export const home: Feature = {
  routes: (base, { context, hooked }) =>
    homeRoutes(base, context, { kinds: hooked('approvals'), parts: hooked('home') }),
}
