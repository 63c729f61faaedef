import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listApps } from '#shared/products/apps-api.ts'

export type App = RowOf<typeof listApps>
