/** Columns of the case lists. */
import { formatNear } from '#client/ui/value/ist-format.ts'
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  stageColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatPaise, formatPaiseShort } from '#shared/kernel/money.ts'
import { isCaseSort } from '#shared/collection/cases-api.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { Attendance, staffCell } from '#client/ui/grid/staff-cell.ts'
import { hasLeft } from '../away-links.ts'
import type { CaseRow, CaseTab } from './case-types.ts'
import { endTone, ptpTone, settleTone, stateTone } from './case-words.ts'
import { nextDue } from './next-due.ts'
import { casePath } from '#shared/collection/case-path.ts'

type Column = GridColumn<CaseRow>

export const title = (name: string) => `collection:desk.col.${name}`

export const word =
  (set: string) =>
  (code: string | number, { t }: CellTools) =>
    t(`collection:${set}.${code}`)

const isPast = (time: string | null) => time !== null && Date.parse(time) <= uiNow()

const isLate = (row: CaseRow) => isPast(nextDue(row))

function nextText(row: CaseRow, { t, language }: CellTools): string {
  if (row.nextFollowTime !== null)
    return isLate(row)
      ? t('collection:desk.late', { time: formatNear(row.nextFollowTime, language) })
      : formatNear(row.nextFollowTime, language)
  if (row.firstDueTime === null) return t('collection:desk.newCase')
  return t(isLate(row) ? 'collection:desk.newLate' : 'collection:desk.newBy', {
    time: formatNear(row.firstDueTime, language),
  })
}

/** Who has the case lists open now. */
export const collectorsHere = new Attendance()

const CollectorCell = staffCell<CaseRow>(collectorsHere, ({ collectorId, collectorName }) => ({
  userId: collectorId,
  userName: collectorName,
}))

const from = (menu: string): readonly Column[] => [
  idColumn<CaseRow>({
    id: 'caseId',
    title: title('caseId'),
    width: 98,
    sort: 'caseId',
    href: (row) => (hasLeft(row) ? '' : casePath(row.caseId, menu)),
  }),
  stageColumn<CaseRow>({
    id: 'stageId',
    title: title('stageId'),
    width: 68,
    sort: 'overdueDays',
    pin: 'left',
  }),
  textColumn<CaseRow>({ id: 'userName', title: title('userName'), width: 136, pin: 'left' }),
  maskedColumn<CaseRow>({ id: 'phone', title: title('phone') }),
  integerColumn<CaseRow>({
    id: 'overdueDays',
    title: title('overdueDays'),
    width: 64,
    sort: 'overdueDays',
    upIsWorse: true,
  }),
  moneyColumn<CaseRow>({
    id: 'outstanding',
    title: title('outstanding'),
    width: 104,
    sort: 'outstanding',
    upIsWorse: true,
  }),
  moneyColumn<CaseRow>({
    id: 'paidToday',
    title: title('paidToday'),
    width: 92,
    text: (row) => (row.paidToday === 0 ? '—' : formatPaise(row.paidToday)),
  }),
  statusColumn<CaseRow>({
    id: 'ptpState',
    title: title('ptpState'),
    width: 96,
    sort: 'ptpState',
    word: word('ptpState'),
    tone: ptpTone,
  }),
  textColumn<CaseRow>({
    id: 'ptpTime',
    exportKind: 'time',
    title: title('ptpTime'),
    // an amount that is cut off reads as a smaller one
    width: 174,
    sort: 'ptpTime',
    value: (row) => row.ptpTime,
    text: (row, { language }) =>
      row.ptpTime === null || row.ptpState !== 'open'
        ? ''
        : `${formatNear(row.ptpTime, language)} · ${formatPaiseShort(row.ptpAmount ?? 0)}`,
    tip: () => '',
  }),
  wordColumn<CaseRow>({
    id: 'lastContactResult',
    title: title('lastContactResult'),
    width: 124,
    sort: 'lastContactResult',
    word: word('contactResult'),
  }),
  textColumn<CaseRow>({
    id: 'nextFollowTime',
    exportKind: 'time',
    title: title('nextFollowTime'),
    width: 206,
    sort: 'nextFollowTime',
    text: nextText,
    tip: nextText,
    className: (row) => (isLate(row) ? 'cell-bad' : row.nextFollowTime === null ? 'cell-new' : ''),
  }),
  textColumn<CaseRow>({ id: 'orderId', title: title('orderId'), width: 112, sort: 'orderId' }),
  textColumn<CaseRow>({ id: 'productName', title: title('productName'), width: 100 }),
  moneyColumn<CaseRow>({
    id: 'amountDue',
    title: title('amountDue'),
    width: 112,
    sort: 'amountDue',
  }),
  moneyColumn<CaseRow>({
    id: 'paidAmount',
    title: title('paidAmount'),
    width: 104,
    sort: 'paidAmount',
  }),
  textColumn<CaseRow>({
    id: 'agencyName',
    title: title('agencyName'),
    width: 150,
    sort: 'agencyName',
  }),
  textColumn<CaseRow>({
    id: 'groupName',
    title: title('groupName'),
    width: 120,
    sort: 'groupName',
  }),
  {
    ...textColumn<CaseRow>({
      id: 'collectorName',
      title: title('collectorName'),
      width: 168,
      sort: 'collectorName',
    }),
    renderer: CollectorCell,
  },
  timeColumn<CaseRow>({
    id: 'allocationTime',
    title: title('allocationTime'),
    width: 152,
    sort: 'allocationTime',
  }),
  timeColumn<CaseRow>({ id: 'firstDueTime', title: title('firstDueTime'), width: 152 }),
  integerColumn<CaseRow>({
    id: 'followCount',
    title: title('followCount'),
    width: 92,
    sort: 'followCount',
  }),
  integerColumn<CaseRow>({ id: 'attemptsToday', title: title('attemptsToday'), width: 112 }),
  wordColumn<CaseRow>({
    id: 'lastWillingness',
    title: title('lastWillingness'),
    width: 150,
    sort: 'lastWillingness',
    word: word('willingness'),
  }),
  timeColumn<CaseRow>({
    id: 'lastFollowTime',
    title: title('lastFollowTime'),
    width: 152,
    sort: 'lastFollowTime',
  }),
  timeColumn<CaseRow>({
    id: 'commitmentTime',
    title: title('commitmentTime'),
    width: 152,
    sort: 'commitmentTime',
  }),
  statusColumn<CaseRow>({
    id: 'reduceState',
    title: title('reduceState'),
    width: 120,
    word: word('figures.reduceState'),
    tone: settleTone,
  }),
  statusColumn<CaseRow>({
    id: 'proofState',
    title: title('proofState'),
    width: 120,
    word: word('desk.proofState'),
    tone: settleTone,
  }),
  statusColumn<CaseRow>({
    id: 'state',
    title: title('state'),
    width: 120,
    sort: 'state',
    word: word('state'),
    tone: stateTone,
  }),
  wordColumn<CaseRow>({
    id: 'holdReason',
    title: title('holdReason'),
    width: 130,
    word: word('stopReason'),
  }),
  timeColumn<CaseRow>({
    id: 'intimatedAt',
    title: title('intimatedAt'),
    width: 152,
    sort: 'intimatedAt',
  }),
  statusColumn<CaseRow>({
    id: 'endReason',
    title: title('endReason'),
    width: 192,
    sort: 'endReason',
    word: word('endReason'),
    tone: endTone,
  }),
  timeColumn<CaseRow>({ id: 'endTime', title: title('endTime'), width: 152, sort: 'endTime' }),
  yesNoColumn<CaseRow>({
    id: 'extension',
    title: 'collection:figures.col.extension',
    width: 100,
    exportKind: 'none',
    value: (row) => row.endReason === 'extended',
  }),
  moneyColumn<CaseRow>({
    id: 'recovered',
    title: title('recovered'),
    width: 112,
    sort: 'recovered',
  }),
  textColumn<CaseRow>({ id: 'userId', title: title('userId'), width: 112 }),
]

const SHOWN: Record<CaseTab, { narrow: readonly string[]; wide: readonly string[] }> = {
  toFollow: {
    // last: the columns before it stay visible beside an open case
    narrow: [
      'stageId',
      'userName',
      'phone',
      'overdueDays',
      'outstanding',
      'paidToday',
      'nextFollowTime',
      'lastContactResult',
      'ptpTime',
      'caseId',
    ],
    wide: [
      'stageId',
      'userName',
      'phone',
      'overdueDays',
      'outstanding',
      'paidToday',
      'ptpTime',
      'lastContactResult',
      'nextFollowTime',
      'collectorName',
      'attemptsToday',
      'agencyName',
      'caseId',
      'proofState',
    ],
  },
  toAllocate: {
    narrow: [
      'stageId',
      'userName',
      'caseId',
      'overdueDays',
      'outstanding',
      'paidAmount',
      'productName',
      'agencyName',
      'followCount',
      'lastContactResult',
      'state',
    ],
    wide: [
      'stageId',
      'userName',
      'caseId',
      'orderId',
      'overdueDays',
      'amountDue',
      'paidAmount',
      'outstanding',
      'productName',
      'agencyName',
      'followCount',
      'lastContactResult',
      'lastFollowTime',
      'state',
    ],
  },
  ended: {
    narrow: [
      'stageId',
      'userName',
      'caseId',
      'overdueDays',
      'collectorName',
      'agencyName',
      'endReason',
      'endTime',
      'recovered',
      'followCount',
    ],
    wide: [
      'stageId',
      'userName',
      'caseId',
      'orderId',
      'overdueDays',
      'collectorName',
      'agencyName',
      'allocationTime',
      'endReason',
      'endTime',
      'recovered',
      'followCount',
    ],
  },
}

/** At 1366 px a leader sees who holds a case where a collector, who calls, sees the phone. */
const SHOWN_LED = [
  'stageId',
  'userName',
  'overdueDays',
  'outstanding',
  'paidToday',
  'collectorName',
  'nextFollowTime',
  'lastContactResult',
  'ptpTime',
  'caseId',
]

/** The default columns in order, followed by the optional ones. */
function arranged(tab: CaseTab, menu: string, shown: readonly string[]): readonly Column[] {
  const all = from(menu).map((column) =>
    column.sort === undefined || isCaseSort(tab, column.sort)
      ? column
      : { ...column, sort: undefined },
  )
  return [
    ...shown.flatMap((id) => all.find((column) => column.id === id) ?? []),
    ...all.flatMap((column) => (shown.includes(column.id) ? [] : { ...column, hidden: true })),
  ]
}

/** Constants: the grid compares columns by identity. */
export const CASE_COLUMNS: Record<CaseTab, { narrow: readonly Column[]; wide: readonly Column[] }> =
  {
    toFollow: {
      narrow: arranged('toFollow', 'pedding_list', SHOWN.toFollow.narrow),
      wide: arranged('toFollow', 'pedding_list', SHOWN.toFollow.wide),
    },
    toAllocate: {
      narrow: arranged('toAllocate', 'pedding_list', SHOWN.toAllocate.narrow),
      wide: arranged('toAllocate', 'pedding_list', SHOWN.toAllocate.wide),
    },
    ended: {
      narrow: arranged('ended', 'peded_list', SHOWN.ended.narrow),
      wide: arranged('ended', 'peded_list', SHOWN.ended.wide),
    },
  }

/** Open cases of several people, on a small screen. */
export const LED_COLUMNS = arranged('toFollow', 'pedding_list', SHOWN_LED)
