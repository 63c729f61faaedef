/** Columns of reductions. Constants: the grid compares columns by identity. */
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  moneyColumn,
  stageColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { awayColumn } from '#client/ui/grid/away-cell.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { personColumn } from '#client/screen/person-column.ts'
import type { ReduceRow } from '../payment-types.ts'
import { borrowerColumns, ownIdColumn, title } from '../column-parts.ts'
import { codeWord, reductionTone } from '../payment-words.ts'
import { planPath } from '#shared/repayments/plan-path.ts'

const stateWord = (row: ReduceRow, { t }: CellTools) =>
  row.cause === null
    ? codeWord('reductionState', row.state, t)
    : codeWord('reductionCause', row.cause, t)

/** Which other users have the list of reductions open. */
export const reductionStaff = new Attendance()

const ALL: readonly GridColumn<ReduceRow>[] = [
  ownIdColumn<ReduceRow>('reduceId'),
  ...borrowerColumns<ReduceRow>(140),
  {
    ...statusColumn<ReduceRow>({
      id: 'state',
      title: title('state'),
      width: 124,
      sort: 'state',
      word: (code, { t }) => codeWord('reductionState', code, t),
      tone: reductionTone,
    }),
    text: stateWord,
  },
  moneyColumn<ReduceRow>({
    id: 'amountDue',
    title: title('amountDue'),
    width: 108,
  }),
  moneyColumn<ReduceRow>({
    id: 'reduceAmount',
    title: title('reduceAmount'),
    width: 104,
  }),
  moneyColumn<ReduceRow>({
    id: 'payAmount',
    title: title('payAmount'),
    width: 116,
  }),
  dayColumn<ReduceRow>({
    id: 'validUntil',
    title: title('validUntil'),
    width: 128,
  }),
  personColumn<ReduceRow>(reductionStaff, {
    id: 'launchBy',
    title: title('launchBy'),
    width: 160,
    userId: (row) => row.launchById,
  }),
  timeColumn<ReduceRow>({
    id: 'launchTime',
    title: title('launchTime'),
    width: 150,
    sort: 'launchTime',
  }),
  personColumn<ReduceRow>(reductionStaff, {
    id: 'decideBy',
    title: title('decideBy'),
    width: 160,
    userId: (row) => row.decideById,
  }),
  timeColumn<ReduceRow>({
    id: 'decideTime',
    title: title('decideTime'),
    width: 150,
  }),
  textColumn<ReduceRow>({ id: 'reason', title: title('reason'), width: 200 }),
  stageColumn<ReduceRow>({ id: 'stageId', title: title('stageId'), width: 72 }),
  textColumn<ReduceRow>({ id: 'agencyName', title: title('agencyName'), width: 150 }),
  moneyColumn<ReduceRow>({
    id: 'fine',
    title: title('overdueFine'),
    width: 104,
    value: (row) => row.reduceItems.overdueFine,
  }),
  moneyColumn<ReduceRow>({
    id: 'service',
    title: title('serviceFee'),
    width: 104,
    value: (row) => row.reduceItems.serviceFee,
  }),
  moneyColumn<ReduceRow>({
    id: 'interest',
    title: title('interest'),
    width: 104,
    value: (row) => row.reduceItems.interest,
  }),
  textColumn<ReduceRow>({ id: 'decideReason', title: title('decideReason'), width: 200 }),
  timeColumn<ReduceRow>({ id: 'usedTime', title: title('usedTime'), width: 150 }),
  awayColumn<ReduceRow>({
    id: 'planId',
    title: title('planId'),
    width: 112,
    href: (row) => (row.planId === null ? '' : planPath(row.planId, 'reduce_list')),
  }),
]
const NARROW = [
  'reduceId',
  'orderId',
  'userName',
  'state',
  'amountDue',
  'reduceAmount',
  'payAmount',
  'validUntil',
  'launchBy',
  'reason',
]
const WIDE = [...NARROW, 'fine', 'launchTime', 'decideBy', 'stageId']

export const REDUCTION_COLUMNS = { narrow: shown(ALL, NARROW), wide: shown(ALL, WIDE) } as const
