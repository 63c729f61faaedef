/** Who signed in and what was changed, on an administrator's home page. */
import { sql } from 'kysely'
import type { HomePart } from '#gateway/manage/features/home/public.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'

export const ACCESS_HOME: HomePart = {
  forAdministrator: true,
  figures: ({ rights }) =>
    rights.roleMark === ADMINISTRATOR
      ? [
          {
            key: 'signInsToday',
            rows: sql`sys_session s where true`,
            at: 's.login_at',
            target: '/system/user',
          },
          {
            key: 'changesToday',
            rows: sql`operate_log l where l.user_id is not null`,
            at: 'l.time',
            target: '/system/operate_record?timeFrom={today}&timeTo={today}',
          },
        ]
      : [],
}
