import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { BULK_MAX } from '#shared/kernel/page.ts'

export interface GridSelection<Row> {
  ids: ReadonlySet<string>
  /** Rows ticked, as they were then; those of other pages too. */
  ticked: ReadonlyMap<string, Row>
  /** Every row of the filter, also those of other pages. */
  allMatching: boolean
  /** So many may be taken at once; null = only rows that are ticked. */
  most: number | null
  /** Rows meant: the total when all matching are. */
  count: (total: number) => number
  set: (rows: ReadonlyMap<string, Row>) => void
  selectAllMatching: () => void
  clear: () => void
  /** Hands over every row meant, from the server when all matching are; when they cannot be read, nothing happens: who reads says why. */
  take: (ticked: readonly Row[], use: (rows: readonly Row[]) => unknown) => Promise<void>
}

/** What an action gets: what is at hand at once, and all that is meant. */
export interface ChosenRows<Row> {
  /** Ticked ones as they are now; when all matching are meant, those of this page. */
  rows: readonly Row[]
  allMatching: boolean
  /** Hands over what the bar counts, to be named with its count in the question before the action. */
  take: (use: (rows: readonly Row[]) => unknown) => Promise<void>
}

interface State<Row> {
  ticked: ReadonlyMap<string, Row>
  allMatching: boolean
  key: string
}

/**
 * @param resetKey selection ends when it changes: give the filters, not the page
 * @param readAll reads every row the filters match; without it "all matching" is not offered
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
