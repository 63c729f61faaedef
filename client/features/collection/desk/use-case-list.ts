/** Rows of a case list, kept current by live events: patched where possible, else read again. */
import { hasText } from '#client/base/i18n.ts'
import { type Text, useText } from '#client/base/use-text.ts'
import { type LiveList, useLiveList } from '#client/screen/list/use-live-list.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import { listCases } from '#shared/collection/cases-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { applyCaseEvents, CASE_EVENTS, type LeaveWords } from './case-apply.ts'
import type { CaseRow, CaseTab, CaseViewer } from './case-types.ts'

export type CaseListNow = LiveList<CaseRow, DataOf<typeof listCases>>

export interface CaseListWanted {
  tab: CaseTab
  viewer: CaseViewer
  input: InputOf<typeof listCases>
  view: GridView
  key: string
  openId: string | null
  /** How many new cases came to the viewer since the page was read. */
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
  const t = useText('collection')
  const words: LeaveWords = (why, { name, reason }) =>
    t(`desk.leave.${why}`, { name, reason: reasonWord(reason, t) })
  return useLiveList<typeof listCases, CaseRow>({
    endpoint: listCases,
    input,
    rowId: 'caseId',
    view,
    key: `${tab} ${key}`,
    openId,
    events: CASE_EVENTS,
    readInput: (caseId) => ({ tab, caseId }),
    apply: (rows, events) => applyCaseEvents({ tab, viewer, rows }, events, words),
    onArrived,
  })
}

/** The sets of which one has the code of a reason. */
const REASONS = ['recall', 'stopReason', 'endReason'] as const

/** A reason without a text is shown as it is. */
function reasonWord(reason: string, t: Text): string {
  const set = REASONS.find((one) => hasText(`collection:${one}.${reason}`))
  return set === undefined ? reason : t(`${set}.${reason}`)
}
