import type { GridColumn } from './column-types.ts'

/** All columns of a list; those not in `ids` wait in the columns menu. */
export function shown<Row>(
  all: readonly GridColumn<Row>[],
  ids: readonly string[],
): readonly GridColumn<Row>[] {
  return all.map((column) => (ids.includes(column.id) ? column : { ...column, hidden: true }))
}
