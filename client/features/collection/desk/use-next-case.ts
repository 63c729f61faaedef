/** The next case of the work list: asked for by N, by its button, or by the address. */
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { serverNow } from '#client/session/server-clock.ts'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import type { CaseRow } from './case-types.ts'
import { findNext, NOTHING_WAITS, type NextFound, waits } from './find-next.ts'
import { dueAfter, nextPlanned, offerOf } from './next-due.ts'
import type { CaseListNow } from './use-case-list.ts'

interface Wanted {
  list: CaseListNow
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

export function useNextCase({ list, openId, asksNext, setOpen, grid }: Wanted): NextCase {
  const [found, setFound] = useState<NextFound | null>(null)
  const isSeeking = useRef(false)
  const offered = useRef(new Set<string>())
  const idle = openId === null ? found : null
  const show = useCallback(
    (caseId: string | null) => {
      setFound(null)
      setOpen(caseId)
    },
    [setOpen],
  )
  const rowsHere = () => list.live.store.rows().filter((row) => !list.live.leaving.has(row.caseId))
  const rowsFree = () => rowsHere().filter((row) => !waits(found ?? NOTHING_WAITS, row.caseId))
  const next = async (): Promise<void> => {
    if (isSeeking.current) return
    isSeeking.current = true
    const now = serverNow()
    const due = dueAfter(rowsHere(), openId, now, offered.current)
    const sought = await findNext(due)
    isSeeking.current = false
    const offer = due.find(({ caseId }) => caseId === sought.caseId)
    if (offer) {
      // all have been offered: they are offered anew
      if (offered.current.has(offerOf(offer))) offered.current.clear()
      offered.current.add(offerOf(offer))
    }
    const following =
      sought.caseId ?? (idle === null ? null : (nextPlanned(rowsFree(), now)?.caseId ?? null))
    if (following !== null) {
      show(following)
      grid.current?.focusRow(following)
    } else {
      show(null)
      setFound(sought)
    }
  }
  const answer = useEffectEvent(() => void next())
  // until its own rows have come, a list shows those of the filters before
  const isRead = list.query.rows !== undefined && list.query.isPlaceholder !== true
  useEffect(() => {
    if (asksNext && isRead) answer()
  }, [asksNext, isRead])
  return { show, next, idle, leaveIdle: () => setFound(null), rowsFree }
}
