import { useCallback, useMemo, useState } from 'react'

export interface GridSelection {
  ids: ReadonlySet<string>
  /** Every row of the filter, also those of other pages: send the filter with the count, not ids. */
  allMatching: boolean
  /** Rows meant: the total when all matching are. */
  count: (total: number) => number
  set: (ids: ReadonlySet<string>) => void
  selectAllMatching: () => void
  clear: () => void
}

/** @param resetKey selection ends when it changes: give the filters, not the page */
export function useGridSelection(resetKey: string): GridSelection {
  const [state, setState] = useState<{ ids: ReadonlySet<string>; allMatching: boolean; key: string }>({ ids: new Set(), allMatching: false, key: resetKey })
  const current = state.key === resetKey ? state : { ids: NONE, allMatching: false, key: resetKey }
  const set = useCallback((ids: ReadonlySet<string>) => setState({ ids, allMatching: false, key: resetKey }), [resetKey])
  const clear = useCallback(() => setState({ ids: NONE, allMatching: false, key: resetKey }), [resetKey])
  const selectAllMatching = useCallback(() => setState((now) => ({ ...now, allMatching: true })), [])
  return useMemo(
    () => ({ ids: current.ids, allMatching: current.allMatching, count: (total) => (current.allMatching ? total : current.ids.size), set, selectAllMatching, clear }),
    [current.ids, current.allMatching, set, selectAllMatching, clear],
  )
}

const NONE: ReadonlySet<string> = new Set()
