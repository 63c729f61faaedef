/** Errors of browsers on an administrator's home page. */
import { sql } from 'kysely'
import type { HomePart } from '#gateway/manage/features/home/public.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'

const ROWS = { rows: sql`client_error e where true`, at: 'e.at', target: '/error_log' }

export const ERRORS_HOME: HomePart = {
  forAdministrator: true,
  figures: ({ rights }) =>
    rights.roleMark === ADMINISTRATOR ? [{ ...ROWS, key: 'browserErrors' }] : [],
  arrivals: ({ rights }) =>
    rights.roleMark === ADMINISTRATOR ? [{ ...ROWS, key: 'browserErrors' }] : [],
}
