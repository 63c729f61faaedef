/** Columns of write-offs. Constants: the grid compares columns by identity. */
import { statusTone, statusWord } from '#client/features/orders/public.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  moneyColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { awayColumn } from '#client/ui/grid/away-cell.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { personColumn } from '#client/screen/person-column.ts'
import type { WriteOffRow } from '../payment-types.ts'
import { borrowerColumns, ownIdColumn, title, word } from '../column-parts.ts'
import { recordPath, writeOffTone, writeOffTypeTone } from '../payment-words.ts'

/** Which other users have the list of write-offs open. */
export const writeOffStaff = new Attendance()

const ALL: readonly GridColumn<WriteOffRow>[] = [
  ownIdColumn<WriteOffRow>('writeOffId', 116),
  statusColumn<WriteOffRow>({
    id: 'type',
    title: title('writeOffType'),
    width: 132,
    word: word('writeOffType'),
    tone: writeOffTypeTone,
  }),
  ...borrowerColumns<WriteOffRow>(),
  statusColumn<WriteOffRow>({
    id: 'state',
    title: title('state'),
    width: 112,
    word: word('writeOffState'),
    tone: writeOffTone,
  }),
  statusColumn<WriteOffRow>({
    id: 'resultStatus',
    title: title('resultStatus'),
    width: 184,
    codes: ORDER_STATUSES,
    word: (status, { t }) => statusWord(Number(status), t),
    tone: statusTone,
  }),
  moneyColumn<WriteOffRow>({ id: 'amount', title: title('amount'), width: 116 }),
  moneyColumn<WriteOffRow>({
    id: 'outstandingBefore',
    title: title('outstandingBefore'),
    width: 156,
  }),
  textColumn<WriteOffRow>({ id: 'reason', title: title('reason'), width: 200 }),
  personColumn<WriteOffRow>(writeOffStaff, {
    id: 'operatorName',
    title: title('writtenBy'),
    width: 160,
    userId: (row) => row.operatorId,
  }),
  timeColumn<WriteOffRow>({
    id: 'createTime',
    title: title('createTime'),
    width: 150,
    sort: 'createTime',
  }),
  personColumn<WriteOffRow>(writeOffStaff, {
    id: 'confirmerName',
    title: title('confirmerName'),
    width: 160,
    userId: (row) => row.confirmerId,
  }),
  dayColumn<WriteOffRow>({
    id: 'repaymentDate',
    title: title('repaymentDate'),
    width: 116,
  }),
  awayColumn<WriteOffRow>({
    id: 'recordId',
    title: title('recordId'),
    width: 112,
    href: (row) => (row.recordId === null ? '' : recordPath(row.recordId)),
  }),
]
const NARROW = [
  'writeOffId',
  'type',
  'orderId',
  'userName',
  'state',
  'amount',
  'reason',
  'operatorName',
  'createTime',
]
const WIDE = [...NARROW, 'outstandingBefore', 'confirmerName', 'repaymentDate', 'resultStatus']

export const WRITE_OFF_COLUMNS = { narrow: shown(ALL, NARROW), wide: shown(ALL, WIDE) } as const
