import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { BULK_MAX } from '#shared/kernel/page.ts'

export interface GridSelection<Row> {
  ids: ReadonlySet<string>
  /** Selected rows, as they were when selected; including those of other pages. */
  ticked: ReadonlyMap<string, Row>
  /** Every row that matches the filter, including other pages. */
  allMatching: boolean
  /** Most rows one action takes; null = only rows that are selected. */
  most: number | null
  /** Number of rows included: the total when all matching rows are selected. */
  count: (total: number) => number
  set: (rows: ReadonlyMap<string, Row>) => void
  selectAllMatching: () => void
  clear: () => void
  /**
   * Resolves to every included row, read from the server when all matching are selected. When that
   * fails nothing happens; the reader shows why.
   */
  take: (ticked: readonly Row[], use: (rows: readonly Row[]) => unknown) => Promise<void>
}

/** What an action gets: the rows at hand at once, and all included rows. */
export interface ChosenRows<Row> {
  /**
   * Selected rows with their current values; when all matching are selected, those of this page.
   */
  rows: readonly Row[]
  allMatching: boolean
  /** Passes the counted rows to the action, which names their number in its confirmation. */
  take: (use: (rows: readonly Row[]) => unknown) => Promise<void>
}

interface State<Row> {
  ticked: ReadonlyMap<string, Row>
  allMatching: boolean
  key: string
}

/**
 * @param resetKey the selection is cleared when it changes: give the filters, not the page
 * @param readAll reads every row that matches the filters; without it "all matching" is not offered
 * @param most rows one action takes
 */
export function useGridSelection<Row>(
  resetKey: string,
  readAll?: () => Promise<readonly Row[]>,
  most = BULK_MAX,
): GridSelection<Row> {
  const [state, setState] = useState<State<Row>>({
    ticked: new Map(),
    allMatching: false,
    key: resetKey,
  })
  const { ticked, allMatching } =
    state.key === resetKey
      ? state
      : { ticked: NONE as ReadonlyMap<string, Row>, allMatching: false }
  const latest = useRef(readAll)
  useEffect(() => {
    latest.current = readAll
  })
  const set = useCallback(
    (rows: ReadonlyMap<string, Row>) =>
      setState({ ticked: rows, allMatching: false, key: resetKey }),
    [resetKey],
  )
  const clear = useCallback(
    () => setState({ ticked: NONE, allMatching: false, key: resetKey }),
    [resetKey],
  )
  const selectAllMatching = useCallback(
    () => setState((now) => ({ ...now, allMatching: true })),
    [],
  )
  const offersAll = readAll !== undefined
  return useMemo(
    () => ({
      ids: new Set(ticked.keys()),
      ticked,
      allMatching,
      most: offersAll ? most : null,
      count: (total) => (allMatching ? total : ticked.size),
      set,
      selectAllMatching,
      clear,
      async take(rows, use) {
        const meant =
          allMatching && latest.current ? await latest.current().catch(() => null) : rows
        if (meant === null) return
        if (meant.length === 0) clear()
        else await use(meant)
      },
    }),
    [ticked, allMatching, offersAll, most, set, selectAllMatching, clear],
  )
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>()
