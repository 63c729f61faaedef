/** The next case of the work list: asked for by N, by its button, or by the address. */
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#client/session/call.ts'
import { serverNow } from '#client/session/server-clock.ts'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import { listCases } from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { CaseRow } from './case-types.ts'
import { findNext, NOTHING_WAITS, type NextFound, waits } from './find-next.ts'
import { dueAfter, nextPlanned, offerOf } from './next-due.ts'
import type { CaseListNow } from './use-case-list.ts'

interface Wanted {
  list: CaseListNow
  input: InputOf<typeof listCases>
  openId: string | null
  /** The address asks for the next case, whichever it is. */
  asksNext: boolean
  setOpen: (caseId: string | null) => void
  grid: RefObject<GridHandle<CaseRow> | null>
}

export interface NextCase {
  show: (caseId: string | null) => void
  /** Opens the next due case; when none is due, shows that, and a second press opens what comes next. */
  next: () => Promise<void>
  /** What the last search found, while it found none and no case was opened. */
  idle: NextFound | null
  leaveIdle: () => void
  /** Rows as live events left them, without those that wait for the time between two contacts. */
  rowsFree: () => CaseRow[]
}

export function useNextCase({ list, input, openId, asksNext, setOpen, grid }: Wanted): NextCase {
  const [lastFound, setLastFound] = useState<NextFound | null>(null)
  const isSeeking = useRef(false)
  const offered = useRef(new Set<string>())
  const idle = openId === null ? lastFound : null
  const show = useCallback(
    (caseId: string | null) => {
      setLastFound(null)
      setOpen(caseId)
    },
    [setOpen],
  )
  const rowsHere = () => list.live.store.rows().filter((row) => !list.live.leaving.has(row.caseId))
  const rowsFree = () => rowsHere().filter((row) => !waits(lastFound ?? NOTHING_WAITS, row.caseId))
  const next = async (): Promise<void> => {
    if (isSeeking.current) return
    isSeeking.current = true
    const now = serverNow()
    const search = async (rows: readonly CaseRow[]) => {
      const due = dueAfter(rows, openId, now, offered.current)
      const sought = await findNext(due)
      return { sought, offer: due.find(({ caseId }) => caseId === sought.caseId) ?? null }
    }
    const isNew = (row: CaseRow | null) => row !== null && !offered.current.has(offerOf(row))
    const onPage = isPart(list) && !isByDue(input) ? null : await search(rowsHere())
    // of a page in another order, and of one that is worked through, all pages are asked
    const isEnough = onPage !== null && (!isPart(list) || isNew(onPage.offer))
    const { sought, offer } = isEnough
      ? onPage
      : await search(joined(await readDue(input), rowsHere()))
    if (!isEnough) list.show()
    isSeeking.current = false
    if (offer) {
      // all have been offered: they are offered anew
      if (!isNew(offer)) offered.current.clear()
      offered.current.add(offerOf(offer))
    }
    const following =
      sought.caseId ?? (idle === null ? null : (nextPlanned(rowsFree(), now)?.caseId ?? null))
    if (following !== null) {
      show(following)
      grid.current?.focusRow(following)
    } else {
      show(null)
      setLastFound(sought)
    }
  }
  const answer = useEffectEvent(() => void next())
  // until its own rows have come, a list shows those of the filters before
  const isRead = list.query.rows !== undefined && list.query.isPlaceholder !== true
  useEffect(() => {
    if (asksNext && isRead) answer()
  }, [asksNext, isRead])
  return { show, next, idle, leaveIdle: () => setLastFound(null), rowsFree }
}

function isPart({ data, query }: CaseListNow): boolean {
  return (data?.total ?? 0) > (query.rows?.length ?? 0)
}

/** Whether the longest late of a person's own cases are those of the page. */
function isByDue({ sort, pageNum = 1 }: InputOf<typeof listCases>): boolean {
  return sort === undefined && pageNum === 1
}

/** More than a person has; further ones come when these are done. */
const MOST_DUE = 200

/** The due cases of all pages, longest late first; none without an answer. */
async function readDue(input: InputOf<typeof listCases>): Promise<CaseRow[]> {
  const { sort: _, view = 'dueNow', ...filters } = input
  const all = { ...filters, view, pageNum: 1, pageSize: MOST_DUE }
  return call(listCases, all, { quiet: true }).then(
    ({ rows }) => rows,
    () => [],
  )
}

/** Rows of both, as the page has them where it has them: live events have changed those. */
function joined(read: readonly CaseRow[], onPage: readonly CaseRow[]): CaseRow[] {
  return [...new Map([...read, ...onPage].map((row) => [row.caseId, row])).values()]
}
