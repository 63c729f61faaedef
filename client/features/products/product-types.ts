import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listProducts } from '#shared/products/products-api.ts'

export type Product = RowOf<typeof listProducts>
