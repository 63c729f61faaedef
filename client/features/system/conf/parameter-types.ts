import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listConfig } from '#shared/system/config-api.ts'

export type Parameter = RowOf<typeof listConfig>
