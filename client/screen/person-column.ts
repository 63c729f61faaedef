/** Actor column of a list: a person with a presence dot, or a part of the system by its label. */
import { useEffect } from 'react'
import { useWatch } from '#client/live/watch.ts'
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import { textColumn } from '#client/ui/grid/grid-columns.ts'
import { type Attendance, staffCell } from '#client/ui/grid/staff-cell.ts'

interface PersonSpec<Row> {
  id: string & keyof Row
  title: string
  width: number
  userId: (row: Row) => string | null
  /** Default: the field named like the column. */
  text?: (row: Row, tools: CellTools) => string
}

/** @param here who has the list open; the screen gets it from `useAttendance` */
export function personColumn<Row>(
  here: Attendance,
  { userId, ...spec }: PersonSpec<Row>,
): GridColumn<Row> {
  const column = textColumn<Row>({
    ...spec,
    ...(spec.text === undefined ? {} : { tip: spec.text }),
  })
  return withPerson(column, here, userId)
}

/**
 * A column of names that may be a person's.
 * @param userId null for a unit or a part of the system
 */
export function withPerson<Row>(
  column: GridColumn<Row>,
  here: Attendance,
  userId: (row: Row) => string | null,
): GridColumn<Row> {
  return {
    ...column,
    renderer: staffCell<Row>(here, (row, tools) => ({
      userId: userId(row),
      userName: column.text(row, tools),
    })),
  }
}

/** Watches the list and passes its viewers to the cells. */
export function useAttendance(here: Attendance, menu: string): void {
  const members = useWatch('menu', menu)
  useEffect(() => here.set(members), [here, members])
}
