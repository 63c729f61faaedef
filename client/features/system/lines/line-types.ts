import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listLines } from '#shared/system/lines-api.ts'

export type Line = RowOf<typeof listLines>
