import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listAlerts } from '#shared/reports/alerts-api.ts'

/** A limit of a figure. */
export type Alert = RowOf<typeof listAlerts>
