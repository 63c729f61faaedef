/** Columns of the figures. Constants: the grid compares columns by identity. */
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  moneyColumn,
  percentColumn,
  stageColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type {
  AGENCY_LEVELS,
  agencyDetail,
  listBills,
  listPerformance,
  listReductionBills,
  PERFORMANCE_GROUPS,
} from '#shared/collection/figures-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { percentText, valueText } from '#client/ui/value/value-text.ts'
import { casePath } from '#shared/collection/case-path.ts'

export type PerformanceLine = DataOf<typeof listPerformance>['rows'][number]
export type PerformanceGroup = (typeof PERFORMANCE_GROUPS)[number]
export type AgencyLine = DataOf<typeof agencyDetail>['people'][number]
export type Bill = DataOf<typeof listBills>['rows'][number]
export type ReductionBill = DataOf<typeof listReductionBills>['rows'][number]

const col = (name: string) => `collection:figures.col.${name}`
const desk = (name: string) => `collection:desk.col.${name}`

const NUMBERS: readonly GridColumn<PerformanceLine>[] = [
  moneyColumn<PerformanceLine>({
    id: 'recoveredAmount',
    title: col('recoveredAmount'),
    width: 124,
    sort: 'recoveredAmount',
  }),
  percentColumn<PerformanceLine>({
    id: 'recoveryRate',
    title: col('recoveryRate'),
    width: 104,
    sort: 'recoveryRate',
    text: (row) => percentText(row.recoveryRate),
  }),
  integerColumn<PerformanceLine>({
    id: 'recoveredCases',
    title: col('recoveredCases'),
    width: 96,
    sort: 'recoveredCases',
  }),
  integerColumn<PerformanceLine>({
    id: 'allocatedCases',
    title: col('allocatedCases'),
    width: 92,
    sort: 'allocatedCases',
  }),
  moneyColumn<PerformanceLine>({
    id: 'allocatedAmount',
    title: col('allocatedAmount'),
    width: 128,
    sort: 'allocatedAmount',
  }),
  integerColumn<PerformanceLine>({
    id: 'contacted',
    title: col('contacted'),
    width: 92,
    sort: 'contacted',
  }),
  integerColumn<PerformanceLine>({ id: 'calls', title: col('calls'), width: 76, sort: 'calls' }),
  percentColumn<PerformanceLine>({
    id: 'reachRate',
    title: col('reachRate'),
    width: 92,
    sort: 'reachRate',
    text: (row) => percentText(row.reachRate),
  }),
  integerColumn<PerformanceLine>({
    id: 'followCount',
    title: col('followCount'),
    width: 96,
    sort: 'followCount',
  }),
  integerColumn<PerformanceLine>({
    id: 'ptpCount',
    title: col('ptpCount'),
    width: 92,
    sort: 'ptpCount',
  }),
  percentColumn<PerformanceLine>({
    id: 'ptpKeptRate',
    title: col('ptpKeptRate'),
    width: 92,
    sort: 'ptpKeptRate',
    text: (row) => percentText(row.ptpKeptRate),
  }),
  moneyColumn<PerformanceLine>({
    id: 'reducedAmount',
    title: col('reducedAmount'),
    width: 112,
    sort: 'reducedAmount',
  }),
  integerColumn<PerformanceLine>({
    id: 'avgFirstContactSec',
    title: col('avgFirstContactSec'),
    width: 128,
    sort: 'avgFirstContactSec',
    text: (row, { t }) => valueText(row.avgFirstContactSec, 'seconds', t),
    upIsWorse: true,
  }),
]
const NAME = textColumn<PerformanceLine>({
  id: 'name',
  title: col('name'),
  width: 176,
  sort: 'name',
  pin: 'left',
})
const UNIT = textColumn<PerformanceLine>({ id: 'unitName', title: col('unitName'), width: 150 })
const RANK = integerColumn<PerformanceLine>({
  id: 'rank',
  title: col('rank'),
  width: 68,
  sort: 'rank',
  pin: 'left',
})

export const PERFORMANCE_COLUMNS: Record<PerformanceGroup, readonly GridColumn<PerformanceLine>[]> =
  {
    collector: [RANK, NAME, ...NUMBERS, UNIT],
    group: [RANK, NAME, ...NUMBERS, UNIT],
    department: [RANK, NAME, ...NUMBERS, UNIT],
    agency: [RANK, NAME, ...NUMBERS],
    stage: [
      stageColumn<PerformanceLine>({
        id: 'key',
        title: desk('stageId'),
        width: 82,
        sort: 'key',
        pin: 'left',
      }),
      ...NUMBERS,
    ],
    day: [
      textColumn<PerformanceLine>({
        id: 'key',
        title: col('day'),
        width: 128,
        sort: 'key',
        pin: 'left',
        text: (row, { language }) => formatIst(row.key, 'day', language),
        tip: () => '',
      }),
      ...NUMBERS,
    ],
  }

const MEASURES: readonly GridColumn<AgencyLine>[] = [
  integerColumn<AgencyLine>({ id: 'openCases', title: col('openCases'), width: 104 }),
  moneyColumn<AgencyLine>({ id: 'outstanding', title: desk('outstanding'), width: 132 }),
  moneyColumn<AgencyLine>({ id: 'recovered', title: col('recoveredAmount'), width: 124 }),
  percentColumn<AgencyLine>({
    id: 'recoveryRate',
    title: col('recoveryRate'),
    width: 104,
    text: (row) => percentText(row.recoveryRate),
  }),
  integerColumn<AgencyLine>({ id: 'allocatedCases', title: col('allocatedCases'), width: 96 }),
  moneyColumn<AgencyLine>({ id: 'allocatedAmount', title: col('allocatedAmount'), width: 132 }),
  moneyColumn<AgencyLine>({ id: 'commission', title: col('commission'), width: 110 }),
]
const HEADS: readonly GridColumn<AgencyLine>[] = [
  integerColumn<AgencyLine>({ id: 'collectors', title: col('collectors'), width: 100 }),
  integerColumn<AgencyLine>({ id: 'online', title: col('online'), width: 84 }),
  integerColumn<AgencyLine>({ id: 'onDuty', title: col('onDuty'), width: 84 }),
]
const yes = (name: 'online' | 'onDuty') =>
  yesNoColumn<AgencyLine>({ id: name, title: col(name), width: 84, value: (row) => row[name] })
const lineName = (name: string) =>
  textColumn<AgencyLine>({ id: 'name', title: name, width: 200, pin: 'left' })
const lineUnit = textColumn<AgencyLine>({ id: 'unitName', title: col('unitName'), width: 150 })

export const AGENCY_COLUMNS: Record<
  (typeof AGENCY_LEVELS)[number],
  readonly GridColumn<AgencyLine>[]
> = {
  people: [lineName(desk('collectorName')), ...MEASURES, yes('online'), yes('onDuty'), lineUnit],
  groups: [lineName(desk('groupName')), ...MEASURES, ...HEADS, lineUnit],
  departments: [lineName(col('department')), ...MEASURES, ...HEADS],
  stages: [
    stageColumn<AgencyLine>({ id: 'id', title: desk('stageId'), width: 82, pin: 'left' }),
    ...MEASURES,
    ...HEADS,
  ],
}

const word =
  (set: string) =>
  (code: string | number, { t }: CellTools) =>
    t(`collection:${set}.${code}`)

export const BILL_COLUMNS: readonly GridColumn<Bill>[] = [
  textColumn<Bill>({ id: 'billId', title: col('billId'), width: 108, sort: 'billId', pin: 'left' }),
  timeColumn<Bill>({ id: 'payTime', title: col('payTime'), width: 152, sort: 'payTime' }),
  textColumn<Bill>({ id: 'userName', title: desk('userName'), width: 150 }),
  stageColumn<Bill>({ id: 'stageId', title: desk('stageId'), width: 68, sort: 'stageId' }),
  integerColumn<Bill>({
    id: 'overdueDays',
    title: desk('overdueDays'),
    width: 72,
    sort: 'overdueDays',
  }),
  moneyColumn<Bill>({
    id: 'amount',
    title: col('amount'),
    width: 116,
    sort: 'amount',
    className: (row) => (row.amount < 0 ? 'cell-bad' : ''),
  }),
  moneyColumn<Bill>({ id: 'principal', title: col('principal'), width: 116, sort: 'principal' }),
  moneyColumn<Bill>({ id: 'fees', title: col('fees'), width: 108, sort: 'fees' }),
  textColumn<Bill>({
    id: 'collectorName',
    title: desk('collectorName'),
    width: 150,
    sort: 'collectorName',
  }),
  textColumn<Bill>({ id: 'agencyName', title: desk('agencyName'), width: 150, sort: 'agencyName' }),
  wordColumn<Bill>({
    id: 'channel',
    title: col('channel'),
    width: 140,
    sort: 'channel',
    word: word('figures.channel'),
  }),
  textColumn<Bill>({ id: 'groupName', title: desk('groupName'), width: 130, sort: 'groupName' }),
  textColumn<Bill>({ id: 'recordId', title: col('recordId'), width: 112, sort: 'recordId' }),
  textColumn<Bill>({ id: 'orderId', title: desk('orderId'), width: 112, sort: 'orderId' }),
  idColumn<Bill>({
    id: 'caseId',
    title: desk('caseId'),
    width: 112,
    href: (row) => casePath(row.caseId, 'peded_list'),
  }),
  yesNoColumn<Bill>({ id: 'extension', title: col('extension'), width: 100 }),
  moneyColumn<Bill>({ id: 'commission', title: col('commission'), width: 110, sort: 'commission' }),
]

const TONES: Record<string, Tone> = {
  pending: 'warn',
  approved: 'info',
  rejected: 'neutral',
  used: 'good',
  lapsed: 'neutral',
}

export const REDUCTION_COLUMNS: readonly GridColumn<ReductionBill>[] = [
  textColumn<ReductionBill>({
    id: 'reduceId',
    title: col('reduceId'),
    width: 112,
    sort: 'reduceId',
    pin: 'left',
  }),
  textColumn<ReductionBill>({ id: 'userName', title: desk('userName'), width: 150 }),
  stageColumn<ReductionBill>({ id: 'stageId', title: desk('stageId'), width: 68, sort: 'stageId' }),
  moneyColumn<ReductionBill>({
    id: 'amountDue',
    title: desk('amountDue'),
    width: 116,
    sort: 'amountDue',
  }),
  moneyColumn<ReductionBill>({
    id: 'reduceAmount',
    title: col('reduceAmount'),
    width: 112,
    sort: 'reduceAmount',
  }),
  moneyColumn<ReductionBill>({
    id: 'usedAmount',
    title: col('usedAmount'),
    width: 108,
    sort: 'usedAmount',
  }),
  moneyColumn<ReductionBill>({
    id: 'recoveredAmount',
    title: col('recoveredAmount'),
    width: 120,
    sort: 'recoveredAmount',
  }),
  percentColumn<ReductionBill>({
    id: 'capUse',
    title: col('capUse'),
    width: 116,
    sort: 'capUse',
    upIsWorse: true,
  }),
  statusColumn<ReductionBill>({
    id: 'state',
    title: desk('state'),
    width: 112,
    sort: 'state',
    word: word('figures.reduceState'),
    tone: (state) => TONES[state] ?? 'neutral',
  }),
  textColumn<ReductionBill>({ id: 'launchBy', title: col('launchBy'), width: 150 }),
  timeColumn<ReductionBill>({
    id: 'launchTime',
    title: col('launchTime'),
    width: 152,
    sort: 'launchTime',
  }),
  textColumn<ReductionBill>({ id: 'decideBy', title: col('decideBy'), width: 150 }),
  timeColumn<ReductionBill>({
    id: 'usedTime',
    title: col('usedTime'),
    width: 152,
    sort: 'usedTime',
  }),
  textColumn<ReductionBill>({
    id: 'collectorName',
    title: desk('collectorName'),
    width: 150,
    sort: 'collectorName',
  }),
  textColumn<ReductionBill>({
    id: 'agencyName',
    title: desk('agencyName'),
    width: 150,
    sort: 'agencyName',
  }),
  textColumn<ReductionBill>({
    id: 'groupName',
    title: desk('groupName'),
    width: 130,
    sort: 'groupName',
  }),
  textColumn<ReductionBill>({ id: 'orderId', title: desk('orderId'), width: 112, sort: 'orderId' }),
]
