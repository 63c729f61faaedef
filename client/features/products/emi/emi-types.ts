import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listEmiConfig, listEmiInfo } from '#shared/products/emi-api.ts'

export type EmiInfoRow = RowOf<typeof listEmiInfo>
export type EmiConfigRow = RowOf<typeof listEmiConfig>
