/** Rows of a case list, kept true by live events: patched where they say enough, read where they do not. */
import { useMemo } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { useListQuery } from '#client/shell/use-list-query.ts'
import type { GridView } from '#client/ui/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/useLiveRows.ts'
import { listCases } from '#shared/collection/cases-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { useSay } from '../use-say.ts'
import { applyCaseEvents, CASE_EVENTS, type LeaveWords } from './case-apply.ts'
import type { CaseRow, CaseTab, CaseViewer } from './case-types.ts'

export interface CaseListNow {
  query: GridQuery<CaseRow>
  live: LiveRows<CaseRow>
  data: DataOf<typeof listCases> | undefined
  takeRow: (row: CaseRow) => void
  reread: () => void
}

export interface CaseListWanted {
  tab: CaseTab
  viewer: CaseViewer
  input: InputOf<typeof listCases>
  view: GridView
  key: string
  openId: string | null
  /** New cases came to the viewer while he was looking. */
  onArrived?: (caseIds: readonly string[]) => void
}

export function useCaseList({
  tab,
  viewer,
  input,
  view,
  key,
  openId,
  onArrived,
}: CaseListWanted): CaseListNow {
  const t = useSay()
  const { query, data, refetch } = useListQuery<typeof listCases, CaseRow>(listCases, input)
  const sortFields = useMemo(() => view.sort.map((part) => part.field), [view.sort])
  const live = useLiveRows<CaseRow>({
    query,
    getRowId,
    getVersion,
    viewKey: `${tab} ${key}`,
    sortFields,
    openId,
  })
  const reread = useThrottled(refetch)

  const words: LeaveWords = (why, { name, reason }) =>
    t(`desk.leave.${why}`, {
      name,
      reason:
        reason === ''
          ? ''
          : t(
              [
                `recall.${reason}`,
                `stopReason.${reason}`,
                `endReason.${reason}`,
              ] as unknown as string,
              { defaultValue: reason },
            ),
    })
  const takeRow = (row: CaseRow) =>
    live.push([{ kind: 'row', id: row.caseId, version: row.version, row }])
  const readRow = async (caseId: string) => {
    const found = await call(listCases, { tab, caseId }, { quiet: true }).catch(() => null)
    const row = found?.rows[0]
    if (row) takeRow(row)
  }
  useLive(CASE_EVENTS, (events) => {
    const rows = new Map(live.store.rows().map((row) => [row.caseId, row]))
    const { changes, read, ask } = applyCaseEvents({ tab, viewer, rows }, events, words)
    if (changes.length > 0) live.push(changes)
    const arrived = changes.flatMap((change) => (change.kind === 'new' ? [change.id] : []))
    if (arrived.length > 0) onArrived?.(arrived)
    // further pages only count what is new: their rows would all move down
    const isMoving = ask || changes.some((change) => change.kind !== 'patch')
    if (read.size > 3 || (isMoving && view.page === 1)) reread()
    if (read.size <= 3) for (const caseId of read) void readRow(caseId)
  })
  return { query, live, data, takeRow, reread }
}

const getRowId = (row: CaseRow) => row.caseId
const getVersion = (row: CaseRow) => row.version
