import type { RowOf } from '#client/screen/list/list-types.ts'
import type {
  listAgencies,
  listGroups,
  listPersons,
  listStages,
} from '#shared/collection/setup-api.ts'

export type Stage = RowOf<typeof listStages>
export type Agency = RowOf<typeof listAgencies>
/** A department or a group. */
export type Unit = RowOf<typeof listGroups>
export type Person = RowOf<typeof listPersons>
