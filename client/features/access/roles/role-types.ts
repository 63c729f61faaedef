import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listRoles } from '#shared/access/roles-api.ts'

export type Role = RowOf<typeof listRoles>
