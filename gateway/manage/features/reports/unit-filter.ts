/** The unit a person leads, as a filter of rollups that name units. */
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { placeOf } from '#gateway/manage/kernel/scope.ts'

/** A value that no row has: nothing is seen. */
export const NOTHING = 'none'

type UnitColumn = 'agency_id' | 'department_id' | 'group_id'

/** Empty for who sees everything. */
export function unitFilter(actor: StaffActor): Partial<Record<UnitColumn, string>> {
  if (actor.rights.scope === 'all') return {}
  const place = placeOf(actor)
  if (place === null || place.column === 'collector_id') return { group_id: NOTHING }
  return { [place.column]: place.value }
}
