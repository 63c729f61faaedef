import type { ReactNode, Ref } from 'react'
import type { PresenceMember } from '#shared/kernel/live.ts'
import type { RowAction } from './GridMenu.tsx'
import type { GridColumn } from './column-types.ts'
import type { GridHandle } from './grid-state.ts'
import type { FilterKinds, GridView } from './grid-url.ts'
import type { ChosenRows, GridSelection } from './use-grid-selection.ts'
import type { GridUrlState } from './use-grid-url-state.ts'
import type { GridQuery, LiveRows } from './use-live-rows.ts'

export interface DataGridProps<Row extends object> {
  /** Name of the list (menu): the user's columns are stored under it. */
  id: string
  /** Label of the list for screen readers. */
  label: string
  columns: readonly GridColumn<Row>[]
  query: GridQuery<Row>
  getRowId: (row: Row) => string
  getVersion?: (row: Row) => number
  view: GridView
  onView: (change: Partial<GridView>) => void
  /** From `useLiveRows`, when the screen applies events; else the list has its own. */
  live?: LiveRows<Row>
  selection?: GridSelection<Row>
  onOpen?: (row: Row, newWindow: boolean) => void
  /** The row shown in a panel: marked, and never removed. */
  openId?: string | null
  rowActions?: (row: Row) => readonly RowAction[]
  /** Actions for the selected rows. */
  bulkBar?: (chosen: ChosenRows<Row>) => ReactNode
  /**
   * Space on a row is used by the screen to show the row beside the list; it does not select then.
   */
  peeks?: boolean
  presence?: (row: Row) => readonly PresenceMember[]
  /** Rows whose action waits for the server. */
  busyIds?: ReadonlySet<string>
  /** Whether filters are active: an empty list shows that and offers to clear them. */
  filters?: Pick<GridUrlState<FilterKinds>, 'activeFilters' | 'resetFilters'>
  /** Why no row can match the filters. */
  fault?: string | undefined
  /** Labels of the filters that are set: an empty list names them. */
  filterNames?: readonly string[] | undefined
  /** Why the list is empty without filters. */
  emptyReason?: { text: string; hint?: string; action?: { text: string; onClick: () => void } }
  /** Left part of the bar: saved views, chips, buttons of the page. */
  toolbar?: ReactNode
  ref?: Ref<GridHandle<Row>>
}
