/** Columns of the review list; each tab shows those it needs, the rest are in the columns menu. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  moneyColumn,
  percentColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { durationText } from '#client/ui/value/duration-text.ts'
import { REVIEW_TABS, TAB_SORTS } from '#shared/review/review-api.ts'
import type { ReviewRow, ReviewTab } from '../review-types.ts'
import {
  handoverTone,
  machineTone,
  qualityTone,
  resultTone,
  stateTone,
  teleTone,
  word,
} from '../review-words.ts'
import { HolderCell, LeaseCell, WaitCell } from './review-cells.ts'
import { reviewPath } from '#shared/review/review-path.ts'

type Column = GridColumn<ReviewRow>
const title = (name: string) => `review:col.${name}`

const ALL: readonly Column[] = [
  {
    id: 'waiting',
    title: title('waiting'),
    // days and hours in the longest language
    width: 114,
    align: 'right',
    exportKind: 'none',
    sort: 'queuedTime',
    value: (row) => row.queuedTime,
    since: (row) => row.queuedTime,
    text: (row) => row.queuedTime ?? '',
    renderer: WaitCell,
  },
  idColumn<ReviewRow>({
    id: 'reviewId',
    title: title('review'),
    width: 104,
    sort: 'reviewId',
    href: (row) => reviewPath(row.reviewId),
  }),
  textColumn<ReviewRow>({ id: 'userName', title: title('customer'), width: 170, sort: 'userName' }),
  wordColumn<ReviewRow>({
    id: 'customerClass',
    title: title('class'),
    width: 92,
    sort: 'customerClass',
    word: word('class'),
  }),
  moneyColumn<ReviewRow>({ id: 'amount', title: title('amount'), width: 108, sort: 'amount' }),
  statusColumn<ReviewRow>({
    id: 'state',
    title: title('state'),
    width: 124,
    sort: 'state',
    word: word('state'),
    tone: stateTone,
  }),
  {
    id: 'reviewer',
    title: title('reviewer'),
    width: 158,
    exportFields: ['reviewerName'],
    sort: 'reviewerName',
    value: (row) => row.reviewerName,
    text: (row) => row.reviewerName ?? '',
    tip: (row) => row.reviewerName ?? '',
    renderer: HolderCell,
  },
  {
    id: 'lease',
    title: title('lease'),
    width: 74,
    align: 'right',
    exportKind: 'none',
    sort: 'leaseUntil',
    value: (row) => row.leaseUntil,
    since: (row) => row.leaseUntil,
    text: (row) => row.leaseUntil ?? '',
    renderer: LeaseCell,
  },
  statusColumn<ReviewRow>({
    id: 'machineState',
    title: title('machine'),
    width: 112,
    sort: 'machineState',
    word: word('machine'),
    tone: machineTone,
  }),
  percentColumn<ReviewRow>({
    id: 'nameSimilarity',
    title: title('nameSimilarity'),
    width: 104,
    sort: 'nameSimilarity',
  }),
  statusColumn<ReviewRow>({
    id: 'teleCallState',
    title: title('tele'),
    width: 148,
    sort: 'teleCallState',
    word: word('tele'),
    tone: teleTone,
  }),
  integerColumn<ReviewRow>({
    id: 'priority',
    title: title('priority'),
    width: 78,
    sort: 'priority',
  }),
  idColumn<ReviewRow>({ id: 'orderId', title: title('order'), width: 124, sort: 'orderId' }),
  idColumn<ReviewRow>({ id: 'userId', title: title('customerId'), width: 124 }),
  textColumn<ReviewRow>({ id: 'machineId', title: title('machineId'), width: 116 }),
  timeColumn<ReviewRow>({ id: 'machineTime', title: title('machineTime'), sort: 'machineTime' }),
  {
    id: 'machineIntervalSec',
    title: title('interval'),
    width: 112,
    align: 'right',
    exportKind: 'number',
    sort: 'machineIntervalSec',
    value: (row) => row.machineIntervalSec,
    text: (row, { t }) =>
      row.machineIntervalSec === null ? '' : durationText(row.machineIntervalSec * 1_000, t),
  },
  yesNoColumn<ReviewRow>({ id: 'needManual', title: title('needManual'), width: 96 }),
  textColumn<ReviewRow>({ id: 'manualId', title: title('manualId'), width: 116 }),
  statusColumn<ReviewRow>({
    id: 'manualResult',
    title: title('result'),
    width: 100,
    sort: 'manualResult',
    word: word('result'),
    tone: resultTone,
  }),
  textColumn<ReviewRow>({
    id: 'rejectCode',
    title: title('rejectCode'),
    width: 76,
    sort: 'rejectCode',
  }),
  wordColumn<ReviewRow>({
    id: 'rejectReason',
    title: title('rejectReason'),
    width: 256,
    exportFields: ['rejectCode'],
    value: (row) => row.rejectCode,
    word: word('reject'),
  }),
  wordColumn<ReviewRow>({
    id: 'preRejectCode',
    title: title('preRejectCode'),
    width: 140,
    word: word('pre'),
  }),
  yesNoColumn<ReviewRow>({ id: 'quotaReject', title: title('quotaReject'), width: 104 }),
  wordColumn<ReviewRow>({
    id: 'bindState',
    title: title('bindState'),
    width: 108,
    word: word('bind'),
  }),
  statusColumn<ReviewRow>({
    id: 'handoverState',
    title: title('handover'),
    width: 112,
    word: word('handoverState'),
    tone: handoverTone,
  }),
  textColumn<ReviewRow>({ id: 'handoverFrom', title: title('handoverFrom'), width: 132 }),
  textColumn<ReviewRow>({ id: 'handoverTo', title: title('handoverTo'), width: 132 }),
  textColumn<ReviewRow>({ id: 'handoverReason', title: title('handoverReason'), width: 220 }),
  statusColumn<ReviewRow>({
    id: 'quality',
    title: title('quality'),
    width: 116,
    sort: 'quality',
    word: word('qualityState'),
    tone: qualityTone,
  }),
  textColumn<ReviewRow>({
    id: 'qualityCode',
    title: title('qualityCode'),
    width: 84,
    sort: 'qualityCode',
  }),
  wordColumn<ReviewRow>({
    id: 'qualityClass',
    title: title('qualityClass'),
    width: 130,
    word: word('qualityClass'),
  }),
  wordColumn<ReviewRow>({
    id: 'appealState',
    title: title('appeal'),
    width: 108,
    word: word('appealState'),
  }),
  timeColumn<ReviewRow>({ id: 'queuedTime', title: title('queuedTime'), sort: 'queuedTime' }),
  timeColumn<ReviewRow>({ id: 'claimTime', title: title('claimTime'), sort: 'claimTime' }),
  timeColumn<ReviewRow>({ id: 'finishTime', title: title('finishTime'), sort: 'finishTime' }),
]

/** In display order; wide windows add the second list. */
const SHOWN: Record<ReviewTab, readonly [readonly string[], readonly string[]]> = {
  queue: [
    [
      'waiting',
      'reviewId',
      'userName',
      'customerClass',
      'amount',
      'machineState',
      'nameSimilarity',
      'teleCallState',
      'priority',
      'reviewer',
    ],
    ['orderId', 'bindState', 'queuedTime'],
  ],
  mine: [
    [
      'reviewId',
      'userName',
      'customerClass',
      'amount',
      'state',
      'lease',
      'machineState',
      'nameSimilarity',
      'teleCallState',
      'handoverState',
    ],
    ['orderId', 'bindState', 'claimTime'],
  ],
  all: [
    [
      'reviewId',
      'userName',
      'customerClass',
      'amount',
      'state',
      'reviewer',
      'lease',
      'machineState',
      'manualResult',
      'rejectCode',
    ],
    ['orderId', 'quality', 'finishTime'],
  ],
  handover: [
    [
      'reviewId',
      'userName',
      'amount',
      'state',
      'handoverState',
      'handoverFrom',
      'handoverTo',
      'handoverReason',
      'lease',
    ],
    ['customerClass', 'orderId', 'claimTime'],
  ],
  quality: [
    [
      'reviewId',
      'userName',
      'manualResult',
      'rejectReason',
      'reviewer',
      'quality',
      'qualityCode',
      'qualityClass',
      'appealState',
    ],
    ['rejectCode', 'amount', 'finishTime'],
  ],
}

function columnsOf(tab: ReviewTab, wide: boolean): readonly Column[] {
  const [narrowOnes, wideOnes] = SHOWN[tab]
  const shown = wide ? [...narrowOnes, ...wideOnes] : narrowOnes
  const sorts = TAB_SORTS[tab]
  const all = ALL.map(({ sort, ...column }) =>
    sort !== undefined && (sorts?.includes(sort) ?? true) ? { ...column, sort } : column,
  )
  const first = shown.flatMap((id) => all.find((column) => column.id === id) ?? [])
  return [
    ...first,
    ...all
      .filter((column) => !shown.includes(column.id))
      .map((column) => ({
        ...column,
        hidden: true,
      })),
  ]
}

export const REVIEW_COLUMNS = Object.fromEntries(
  REVIEW_TABS.map((tab) => [tab, { narrow: columnsOf(tab, false), wide: columnsOf(tab, true) }]),
) as Record<ReviewTab, { narrow: readonly Column[]; wide: readonly Column[] }>
