/** Options of AG Grid that are the same for every list. */
import type { RowClassParams } from 'ag-grid-community'
import type { GridTools } from './grid-cells.ts'
import { keepKeys } from './grid-keys.ts'

export const DEFAULT_COLUMN = { suppressKeyboardEvent: keepKeys }
export const ROW_SELECTION = {
  mode: 'multiRow',
  checkboxes: true,
  headerCheckbox: true,
  enableClickSelection: false,
} as const
export const ROW_CLASSES = {
  'is-leaving': ({ node, context }: RowClassParams) =>
    (context as GridTools).leavingReason(node.id ?? '') !== null,
}
/** Only changes made by the user; the grid also reports rows that come and go. */
export const USER_SELECTS: ReadonlySet<string> = new Set([
  'uiSelectAll',
  'uiSelectAllFiltered',
  'uiSelectAllCurrentPage',
  'rowClicked',
  'checkboxSelected',
  'spaceKey',
  'keyboardEvent',
  'keyboardSelectAll',
])
