import { sql } from 'kysely'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { accountRoutes } from './account-routes.ts'
import { authenticate } from './authenticate.ts'
import { AVATAR } from './avatar.ts'
import { docsRoutes } from './docs-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { sessionSweep } from './session-sweep-job.ts'
import { SECRET_PLACE } from './two-factor/prove-by-code.ts'

export const session: Feature = {
  menu: SESSION_MENU,
  sealed: [
    { place: SECRET_PLACE, table: 'sys_user', column: 'totp_secret' },
    { place: SECRET_PLACE, table: 'sys_user', column: 'totp_pending' },
    sealedFile(AVATAR),
  ],
  hooks: {
    retained: [
      {
        name: 'sessions',
        table: 'sys_session',
        term: 'retention.sessionDays',
        isOver: (before) => sql`r.expires_at < ${before}`,
      },
    ],
  },
  schedules: [sessionSweep],
  authenticate: (app, { context, hooked }) => authenticate(app, context, hooked('screens')),
  routes(base, { context, settings, audiences, hooked }) {
    sessionRoutes(base, context, {
      audiences,
      onLogout: hooked('onLogout'),
    })
    accountRoutes(base, context)
    docsRoutes(base, context, settings.production)
  },
}
