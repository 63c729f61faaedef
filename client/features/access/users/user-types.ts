import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listUsers } from '#shared/access/users-api.ts'

export type User = RowOf<typeof listUsers>
