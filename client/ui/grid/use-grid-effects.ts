/** What a list does to its grid when the screen's state changes. */
import type { GridApi } from 'ag-grid-community'
import { useEffect, useRef } from 'react'
import { PRESENCE_COLUMN } from './grid-defs.ts'
import type { GridView } from './grid-url.ts'

const AVATARS_MS = 250
const NO_IDS: ReadonlySet<string> = new Set()

/** Row classes are computed when a row is drawn, so rows that gain or lose a mark are redrawn. */
export function useMarkedRows<Row>(
  api: GridApi<Row> | null,
  openId: string | null,
  busyIds: ReadonlySet<string> = NO_IDS,
): void {
  const before = useRef({ openId, busyIds })
  useEffect(() => {
    const ids = new Set([before.current.openId, openId, ...before.current.busyIds, ...busyIds])
    before.current = { openId, busyIds }
    const rowNodes = [...ids].flatMap((id) => (id === null ? [] : (api?.getRowNode(id) ?? [])))
    if (rowNodes.length) api?.redrawRows({ rowNodes })
  }, [api, openId, busyIds])
}

/** After a change of page or sort, scrolls to the first row once its rows have loaded. */
export function useTopOfPage<Row>(
  api: GridApi<Row> | null,
  view: GridView,
  order: readonly string[],
): void {
  const shown = useRef({ view, order })
  useEffect(() => {
    const { view: before, order: old } = shown.current
    if (order === old) return
    shown.current = { view, order }
    if (
      api &&
      order.length > 0 &&
      (before.page !== view.page || before.pageSize !== view.pageSize || before.sort !== view.sort)
    )
      api.ensureIndexVisible(0, 'top')
  }, [api, view, order])
}

/** Rows do not move while someone types into a form beside the list. */
export function useHoldWhileTyping(hold: (reason: 'form', on: boolean) => void): void {
  useEffect(() => {
    const look = () => hold('form', document.activeElement?.closest('form') != null)
    // when the focus leaves, the next element has it only after the event
    const lookLater = () => setTimeout(look)
    document.addEventListener('focusin', look)
    document.addEventListener('focusout', lookLater)
    return () => {
      document.removeEventListener('focusin', look)
      document.removeEventListener('focusout', lookLater)
      hold('form', false)
    }
  }, [hold])
}

/** Presence changes often; four times a second is enough, and only its column is redrawn. */
export function usePresenceRefresh<Row>(api: GridApi<Row> | null, presence: unknown): void {
  useEffect(() => {
    if (!api || !presence) return
    const timer = setTimeout(
      () => api.refreshCells({ columns: [PRESENCE_COLUMN], force: true, suppressFlash: true }),
      AVATARS_MS,
    )
    return () => clearTimeout(timer)
  }, [api, presence])
}
