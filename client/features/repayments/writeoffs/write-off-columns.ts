/** Columns of write-offs. Constants: the grid compares columns by identity. */
import { statusTone, statusWord } from '#client/features/orders/public.tsx'
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  moneyColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { AwayCell } from '#client/ui/grid/away-cell.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { personColumn } from '#client/screen/person-column.ts'
import type { WriteOffRow } from '../payment-types.ts'
import { codeWord, recordPath, writeOffTone, writeOffTypeTone } from '../payment-words.ts'

/** Which other users have the list of write-offs open. */
export const writeOffStaff = new Attendance()

const title = (name: string) => `repayments:col.${name}`
const word =
  (set: string) =>
  (code: string | number, { t }: CellTools) =>
    codeWord(set, code, t)

const ALL: readonly GridColumn<WriteOffRow>[] = [
  textColumn<WriteOffRow>({
    id: 'writeOffId',
    title: title('writeOffId'),
    width: 116,
    sort: 'writeOffId',
    pin: 'left',
  }),
  statusColumn<WriteOffRow>({
    id: 'type',
    title: title('writeOffType'),
    width: 132,
    sort: 'type',
    word: word('writeOffType'),
    tone: writeOffTypeTone,
  }),
  textColumn<WriteOffRow>({ id: 'orderId', title: title('orderId'), width: 112, sort: 'orderId' }),
  textColumn<WriteOffRow>({ id: 'userName', title: title('userName'), width: 150 }),
  statusColumn<WriteOffRow>({
    id: 'state',
    title: title('state'),
    width: 112,
    sort: 'state',
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
  moneyColumn<WriteOffRow>({ id: 'amount', title: title('amount'), width: 116, sort: 'amount' }),
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
    sort: 'repaymentDate',
  }),
  {
    ...textColumn<WriteOffRow>({
      id: 'recordId',
      title: title('recordId'),
      width: 112,
      href: (row) => (row.recordId === null ? '' : recordPath(row.recordId)),
    }),
    renderer: AwayCell,
  },
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

function shown(visible: readonly string[]): readonly GridColumn<WriteOffRow>[] {
  return ALL.map((column) => (visible.includes(column.id) ? column : { ...column, hidden: true }))
}

export const WRITE_OFF_COLUMNS = { narrow: shown(NARROW), wide: shown(WIDE) } as const
