/** Columns of loans, transfers and failed disbursements. */
import { approvalColumn } from '#client/screen/waiting-approval.ts'
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  durationColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  percentColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  HANDLING_METHODS,
  type listLoans,
  type listTransfers,
  type listWaiting,
  LOAN_STATUSES,
  RESENDS,
} from '#shared/orders/disbursement-api.ts'
import { codeWord, payTone, statusTone, statusWord, tagTone } from '../order-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'

export type LoanRow = DataOf<typeof listLoans>['rows'][number]
export type TransferRow = DataOf<typeof listTransfers>['rows'][number]
export type WaitRow = DataOf<typeof listWaiting>['rows'][number]

const col = (name: string) => `orders:col.${name}`
const transfer = (name: string) => `orders:transfer.${name}`

/** Why it failed; of one under way why it waits. */
function whyText({ failReason, waitReason }: TransferRow, { t }: CellTools): string {
  return failReason ?? (waitReason === null ? '' : t(`orders:transfer.waits.${waitReason}`))
}

const LOANS: readonly GridColumn<LoanRow>[] = [
  idColumn<LoanRow>({
    id: 'orderId',
    title: col('orderId'),
    width: 122,
    sort: 'orderId',
    pin: 'left',
    href: (row) => orderPath(row.orderId, 'loan_list'),
  }),
  textColumn<LoanRow>({ id: 'userName', title: col('userName'), width: 150 }),
  maskedColumn<LoanRow>({ id: 'phone', title: col('phone'), width: 108 }),
  textColumn<LoanRow>({ id: 'productName', title: col('productName'), width: 96 }),
  moneyColumn<LoanRow>({ id: 'amount', title: col('amount'), width: 110 }),
  moneyColumn<LoanRow>({
    id: 'arrivalAmount',
    title: col('arrivalAmount'),
    width: 110,
  }),
  moneyColumn<LoanRow>({ id: 'serviceCharge', title: col('serviceCharge'), width: 124 }),
  moneyColumn<LoanRow>({ id: 'interest', title: col('interest'), width: 104 }),
  integerColumn<LoanRow>({ id: 'tenureDays', title: col('tenureDays'), width: 112 }),
  statusColumn<LoanRow>({
    id: 'status',
    title: col('status'),
    width: 182,
    sort: 'status',
    codes: LOAN_STATUSES,
    word: (status, { t }) => statusWord(Number(status), t),
    tone: statusTone,
  }),
  tagsColumn<LoanRow>({
    id: 'tags',
    title: col('tags'),
    width: 112,
    word: (tag, { t }) => codeWord('tag', tag, t),
    tone: tagTone,
  }),
  timeColumn<LoanRow>({
    id: 'disburseTime',
    title: col('disburseTime'),
    width: 146,
    sort: 'disburseTime',
  }),
  dayColumn<LoanRow>({ id: 'dueTime', title: col('dueTime'), width: 104, sort: 'dueTime' }),
  integerColumn<LoanRow>({
    id: 'overdueDays',
    title: col('overdueDays'),
    width: 109,
    upIsWorse: true,
  }),
  moneyColumn<LoanRow>({
    id: 'outstanding',
    title: col('outstanding'),
    width: 122,
  }),
  textColumn<LoanRow>({ id: 'vendorCode', title: transfer('vendor'), width: 104 }),
  statusColumn<LoanRow>({
    id: 'payState',
    title: transfer('last'),
    width: 138,
    word: (state, { t }) => codeWord('pay', state, t),
    tone: payTone,
  }),
  timeColumn<LoanRow>({
    id: 'createTime',
    title: col('createTime'),
    width: 172,
    sort: 'createTime',
  }),
]
const LOANS_NARROW = [
  'orderId',
  'userName',
  'productName',
  'amount',
  'arrivalAmount',
  'status',
  'disburseTime',
  'dueTime',
  'overdueDays',
  'outstanding',
  'payState',
]
const LOANS_WIDE = [...LOANS_NARROW, 'phone', 'tags']

const TRANSFERS: readonly GridColumn<TransferRow>[] = [
  idColumn<TransferRow>({
    id: 'platformOrderNo',
    title: transfer('platformNo'),
    width: 140,
    pin: 'left',
  }),
  textColumn<TransferRow>({ id: 'orderId', title: col('orderId'), width: 112 }),
  statusColumn<TransferRow>({
    id: 'payState',
    title: transfer('payState'),
    width: 122,
    word: (state, { t }) => codeWord('pay', state, t),
    tone: payTone,
  }),
  statusColumn<TransferRow>({
    id: 'conflict',
    title: transfer('conflict'),
    width: 150,
    value: conflictOf,
    word: (conflict, { t }) => t(`orders:transfer.conflictIs.${conflict}`),
    tone: (conflict) =>
      ['open', 'stray', 'lost', 'late'].includes(String(conflict)) ? 'bad' : 'neutral',
  }),
  moneyColumn<TransferRow>({ id: 'amount', title: transfer('amount'), width: 122 }),
  integerColumn<TransferRow>({
    id: 'attemptNo',
    title: transfer('attemptNo'),
    width: 96,
  }),
  textColumn<TransferRow>({ id: 'payeeName', title: transfer('payee'), width: 150 }),
  textColumn<TransferRow>({ id: 'transferType', title: transfer('type'), width: 84 }),
  maskedColumn<TransferRow>({ id: 'account', title: transfer('account'), width: 118 }),
  textColumn<TransferRow>({ id: 'vendorCode', title: transfer('vendor'), width: 104 }),
  textColumn<TransferRow>({ id: 'vendorOrderNo', title: transfer('vendorNo'), width: 130 }),
  timeColumn<TransferRow>({
    id: 'createTime',
    title: col('createTime'),
    width: 172,
    sort: 'createTime',
  }),
  timeColumn<TransferRow>({
    id: 'failTime',
    title: transfer('failTime'),
    width: 172,
  }),
  textColumn<TransferRow>({
    id: 'failReason',
    title: col('failReason'),
    width: 210,
    text: whyText,
    tip: whyText,
    value: ({ failReason, waitReason }) => failReason ?? waitReason,
  }),
  handlingColumn<TransferRow>(),
  timeColumn<TransferRow>({
    id: 'finishTime',
    title: transfer('finishTime'),
    width: 172,
  }),
  textColumn<TransferRow>({ id: 'utr', title: transfer('utr'), width: 140 }),
]
const TRANSFERS_NARROW = [
  'platformOrderNo',
  'orderId',
  'payState',
  'conflict',
  'amount',
  'attemptNo',
  'payeeName',
  'transferType',
  'account',
  'vendorCode',
  'createTime',
  'failReason',
  'handlingMethod',
]
const TRANSFERS_WIDE = [...TRANSFERS_NARROW, 'vendorOrderNo', 'finishTime']

const HOUR = 3_600_000
const WAITING: readonly GridColumn<WaitRow>[] = [
  idColumn<WaitRow>({
    id: 'orderId',
    title: col('orderId'),
    width: 116,
    pin: 'left',
    href: (row) => orderPath(row.orderId, 'wait_relent'),
  }),
  textColumn<WaitRow>({ id: 'userName', title: col('userName'), width: 150 }),
  moneyColumn<WaitRow>({ id: 'amount', title: col('amount'), width: 116, sort: 'amount' }),
  moneyColumn<WaitRow>({
    id: 'arrivalAmount',
    title: transfer('toPay'),
    width: 116,
    sort: 'arrivalAmount',
  }),
  statusColumn<WaitRow>({
    id: 'resend',
    title: transfer('resend'),
    width: 150,
    codes: RESENDS,
    word: (resend, { t }) => codeWord('resend', resend, t),
    tone: (resend) => (resend === 'ready' ? 'good' : 'bad'),
  }),
  textColumn<WaitRow>({ id: 'failReason', title: col('failReason'), width: 265 }),
  integerColumn<WaitRow>({
    id: 'attempts',
    title: transfer('attempts'),
    width: 100,
    sort: 'attempts',
    upIsWorse: true,
  }),
  durationColumn<WaitRow>({
    id: 'waiting',
    title: transfer('waiting'),
    width: 114,
    value: (row) => row.failTime,
    limits: { warnMs: 4 * HOUR, badMs: 24 * HOUR },
  }),
  handlingColumn<WaitRow>(),
  approvalColumn<WaitRow>(),
  statusColumn<WaitRow>({
    id: 'bindState',
    title: transfer('bindState'),
    width: 122,
    word: (state, { t }) => codeWord('bind', state, t),
    tone: (state) => (state === 'bound' ? 'good' : 'bad'),
  }),
  percentColumn<WaitRow>({ id: 'nameSimilarity', title: transfer('nameSimilarity'), width: 128 }),
  textColumn<WaitRow>({ id: 'payeeName', title: transfer('payee'), width: 150 }),
  maskedColumn<WaitRow>({ id: 'account', title: transfer('account'), width: 116 }),
  textColumn<WaitRow>({ id: 'vendorCode', title: transfer('vendor'), width: 100 }),
  timeColumn<WaitRow>({
    id: 'failTime',
    title: transfer('failTime'),
    width: 172,
    sort: 'failTime',
  }),
]
const WAITING_NARROW = [
  'orderId',
  'userName',
  'arrivalAmount',
  'resend',
  'failReason',
  'attempts',
  'waiting',
  'handlingMethod',
  'approval',
  'nameSimilarity',
  'account',
]

function handlingColumn<Row extends { handlingMethod: string | null }>(): GridColumn<Row> {
  return statusColumn<Row>({
    id: 'handlingMethod',
    title: transfer('handling'),
    width: 168,
    value: (row) => row.handlingMethod,
    codes: HANDLING_METHODS,
    word: (method, { t }) => codeWord('handling', method, t),
    tone: () => 'neutral',
  })
}

export const LOAN_COLUMNS = { narrow: shown(LOANS, LOANS_NARROW), wide: shown(LOANS, LOANS_WIDE) }
export const TRANSFER_COLUMNS = {
  narrow: shown(TRANSFERS, TRANSFERS_NARROW),
  wide: shown(TRANSFERS, TRANSFERS_WIDE),
}
export const WAIT_COLUMNS = { narrow: shown(WAITING, WAITING_NARROW), wide: WAITING }

/**
 * `open` while nobody found out which of its two results is true; `stray` while money is to come
 * back; `lost` while its vendor does not know it; `late` while its result is overdue.
 */
function conflictOf({
  conflict,
  conflictOutcome,
  strayOpen,
  payState,
  lostTime,
  lateTime,
}: TransferRow): string | null {
  if (strayOpen > 0) return 'stray'
  if (payState === 'inProgress' && lostTime !== null) return 'lost'
  if (payState === 'inProgress' && lateTime !== null) return 'late'
  return conflict === null ? null : (conflictOutcome ?? 'open')
}
