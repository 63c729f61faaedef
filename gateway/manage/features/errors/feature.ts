import { sql } from 'kysely'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { ERRORS_HOME } from './errors-home.ts'
import { errorsRoutes } from './errors-routes.ts'

export const errors: Feature = {
  hooks: {
    home: [ERRORS_HOME],
    retained: [
      {
        name: 'clientErrors',
        table: 'client_error',
        term: 'retention.errorDays',
        isOver: (before) => sql`r.at < ${before}`,
      },
    ],
  },
  routes: (base, { context }) => errorsRoutes(base, context),
}
