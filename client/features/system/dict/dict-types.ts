import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listDict, listDictDetail } from '#shared/system/dict-api.ts'

export type Dict = RowOf<typeof listDict>
export type Entry = RowOf<typeof listDictDetail>
