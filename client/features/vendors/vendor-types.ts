import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listConfigurations, listServices } from '#shared/vendors/vendors-api.ts'

export type Service = RowOf<typeof listServices>
export type Configuration = RowOf<typeof listConfigurations>
