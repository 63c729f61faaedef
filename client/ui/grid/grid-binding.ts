/**
 * Connects the live store to AG Grid: patches as transactions, order as row data, the selection in
 * both directions, and what keeps the rows in place. Everything here runs outside React's
 * rendering.
 */
import type { GridApi } from 'ag-grid-community'
import type { GridColumn } from './column-types.ts'
import { MENU_COLUMN } from './grid-defs.ts'
import type { LiveStore } from './live-store.ts'
import type { GridSelection } from './use-grid-selection.ts'

/**
 * The grid collects transactions for one frame. Events are already batched (live/batch.ts): a
 * longer wait would double the delay to the screen.
 */
export const FRAME_MS = 16
const WORSE_MS = 2_500

export interface GridBinding {
  isWorse: (id: string, column: string) => boolean
  stop: () => void
}

export function bindGrid<Row extends object>(
  api: GridApi<Row>,
  store: LiveStore<Row>,
  columns: readonly GridColumn<Row>[],
  idOf: (row: Row) => string,
): GridBinding {
  const worse = new Map<string, number>()
  const watched = columns.filter((column) => column.upIsWorse !== undefined)
  let order: readonly string[] = []
  let leaving = store.view().leaving

  function showOrder(): void {
    const view = store.view()
    if (view.order !== order) {
      order = view.order
      // Pending transactions may name rows that are about to be removed.
      api.flushAsyncTransactions()
      api.setGridOption('rowData', store.rows())
    }
    if (view.leaving !== leaving) {
      const changed = [...new Set([...leaving.keys(), ...view.leaving.keys()])].flatMap(
        (id) => api.getRowNode(id) ?? [],
      )
      leaving = view.leaving
      if (changed.length) {
        api.refreshCells({
          rowNodes: changed,
          columns: [MENU_COLUMN],
          force: true,
          suppressFlash: true,
        })
        // Row classes are computed again when a row gets data; a copy is enough.
        for (const node of changed) if (node.data) node.updateData({ ...node.data })
      }
    }
  }
  function patch(rows: Row[]): void {
    for (const row of rows) {
      const before = api.getRowNode(idOf(row))?.data
      if (before)
        for (const column of watched)
          markWorse(worse, `${idOf(row)} ${column.id}`, column, before, row)
    }
    const known = rows.filter((row) => api.getRowNode(idOf(row)))
    if (known.length) api.applyTransactionAsync({ update: known })
  }

  showOrder()
  const stops = [store.subscribe(showOrder), store.onPatched(patch)]
  return {
    isWorse: (id, column) => (worse.get(`${id} ${column}`) ?? 0) > Date.now(),
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Sets the checkboxes of the grid to the selection of the screen. */
export function showSelection<Row>(
  api: GridApi<Row>,
  { ids, allMatching }: Pick<GridSelection<Row>, 'ids' | 'allMatching'>,
): void {
  api.forEachNode((node) => {
    const wanted = node.id !== undefined && (allMatching || ids.has(node.id))
    if (node.isSelected() !== wanted) node.setSelected(wanted, false, 'api')
  })
}

/** Takes over the checkboxes changed on this page; rows of other pages stay selected. */
export function takeSelection<Row>(
  api: GridApi<Row>,
  { ticked, allMatching, set }: Pick<GridSelection<Row>, 'ticked' | 'allMatching' | 'set'>,
): void {
  const next = new Map(ticked)
  let changed = false
  api.forEachNode((node) => {
    if (node.id === undefined || node.data === undefined) return
    changed ||= node.isSelected() !== (allMatching || ticked.has(node.id))
    if (node.isSelected()) next.set(node.id, node.data)
    else next.delete(node.id)
  })
  if (changed) set(next)
}

/**
 * Takes over the selection in the event that changed it: the grid reports it later, possibly after
 * the next key (select, then act).
 */
export function followSelection(element: HTMLElement, take: () => void): () => void {
  element.addEventListener('keydown', take)
  element.addEventListener('click', take)
  return () => {
    element.removeEventListener('keydown', take)
    element.removeEventListener('click', take)
  }
}

function markWorse<Row>(
  worse: Map<string, number>,
  key: string,
  column: GridColumn<Row>,
  before: Row,
  after: Row,
): void {
  const [old, now] = [column.value(before), column.value(after)]
  if (typeof old !== 'number' || typeof now !== 'number' || old === now) return
  if (now > old === column.upIsWorse) worse.set(key, Date.now() + WORSE_MS)
  else worse.delete(key)
}
