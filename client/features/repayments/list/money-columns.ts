/**
 * Columns of instalments and payments. Constants: the grid compares columns
 * by identity.
 */
import { approvalColumn } from '#client/screen/waiting-approval.ts'
import { awayColumn } from '#client/ui/grid/away-cell.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import type { PlanRow, RecordRow } from '../payment-types.ts'
import { borrowerColumns, title, word } from '../column-parts.ts'
import {
  codeWord,
  flagTone,
  openRecordPath,
  payState,
  payTone,
  planTone,
  whyState,
} from '../payment-words.ts'
import { personColumn } from '#client/screen/person-column.ts'
import { planPath } from '#shared/repayments/plan-path.ts'

const PLAN: readonly GridColumn<PlanRow>[] = [
  idColumn<PlanRow>({
    id: 'planId',
    title: title('planId'),
    width: 112,
    sort: 'planId',
    pin: 'left',
    href: (row) => planPath(row.planId, 'repay_plan'),
  }),
  ...borrowerColumns<PlanRow>(),
  maskedColumn<PlanRow>({ id: 'phone', title: title('phone'), width: 108 }),
  integerColumn<PlanRow>({ id: 'serialNo', title: title('serialNo'), width: 60 }),
  wordColumn<PlanRow>({
    id: 'kind',
    title: title('planKind'),
    width: 104,
    value: ({ kind }) => (kind === 'instalment' ? '' : kind),
    word: word('planKind'),
  }),
  dayColumn<PlanRow>({ id: 'dueTime', title: title('dueTime'), width: 108, sort: 'dueTime' }),
  statusColumn<PlanRow>({
    id: 'paymentStatus',
    title: title('paymentStatus'),
    width: 124,
    word: word('planStatus'),
    tone: planTone,
  }),
  integerColumn<PlanRow>({
    id: 'overdueDays',
    title: title('overdueDays'),
    width: 120,
    upIsWorse: true,
  }),
  moneyColumn<PlanRow>({ id: 'amountDue', title: title('amountDue'), width: 112 }),
  moneyColumn<PlanRow>({
    id: 'overdueFine',
    title: title('overdueFine'),
    width: 104,
    upIsWorse: true,
  }),
  moneyColumn<PlanRow>({
    id: 'paidAmount',
    title: title('paidAmount'),
    width: 112,
  }),
  moneyColumn<PlanRow>({
    id: 'outstanding',
    title: title('outstanding'),
    width: 116,
  }),
  timeColumn<PlanRow>({
    id: 'actualRepaymentTime',
    title: title('actualRepaymentTime'),
    width: 150,
  }),
  moneyColumn<PlanRow>({ id: 'principal', title: title('principal'), width: 112 }),
  moneyColumn<PlanRow>({ id: 'interest', title: title('interest'), width: 104 }),
  moneyColumn<PlanRow>({ id: 'serviceFee', title: title('serviceFee'), width: 104 }),
  moneyColumn<PlanRow>({ id: 'bounceCharge', title: title('bounceCharge'), width: 112 }),
  moneyColumn<PlanRow>({ id: 'reducedFees', title: title('reducedFees'), width: 112 }),
  timeColumn<PlanRow>({ id: 'reductionTime', title: title('reductionTime'), width: 150 }),
  textColumn<PlanRow>({ id: 'userId', title: title('userId'), width: 124 }),
]
const PLAN_NARROW = [
  'planId',
  'orderId',
  'userName',
  'phone',
  'serialNo',
  'kind',
  'dueTime',
  'paymentStatus',
  'overdueDays',
  'amountDue',
  'overdueFine',
  'outstanding',
]
const PLAN_WIDE = [...PLAN_NARROW, 'paidAmount', 'actualRepaymentTime']

/** Which other users have the list of payments open. */
export const recordStaff = new Attendance()

const RECORD: readonly GridColumn<RecordRow>[] = [
  idColumn<RecordRow>({
    id: 'recordId',
    title: title('recordId'),
    width: 112,
    sort: 'recordId',
    pin: 'left',
    href: (row) => openRecordPath(row.recordId),
  }),
  textColumn<RecordRow>({
    id: 'orderId',
    exportFields: ['orderId', 'toldOrderId'],
    title: title('orderId'),
    width: 112,
    text: (row) => row.orderId ?? row.toldOrderId,
  }),
  textColumn<RecordRow>({
    id: 'userName',
    title: title('userName'),
    width: 150,
    text: (row) => row.userName ?? '—',
  }),
  moneyColumn<RecordRow>({ id: 'amount', title: title('amount'), width: 112 }),
  statusColumn<RecordRow>({
    id: 'payState',
    title: title('payState'),
    width: 158,
    value: payState,
    word: word('payState'),
    tone: payTone,
    tip: (row, { t }) =>
      [codeWord('payState', payState(row), t), whyState(row)].filter(Boolean).join(' · '),
  }),
  statusColumn<RecordRow>({
    id: 'flag',
    title: title('flag'),
    width: 132,
    // whose channel contradicts itself waits for two people, before anything else
    value: ({ conflictTime, flag }) => (conflictTime === null ? flag : 'conflict'),
    word: (code, { t }) =>
      code === 'conflict' ? t('repayments:keep.conflict') : codeWord('flag', code, t),
    tone: (code) => (code === 'conflict' ? 'bad' : flagTone(code)),
  }),
  wordColumn<RecordRow>({
    id: 'repaymentType',
    title: title('repaymentType'),
    width: 132,
    word: word('type'),
  }),
  textColumn<RecordRow>({ id: 'utr', title: title('utr'), width: 168 }),
  timeColumn<RecordRow>({ id: 'payTime', title: title('payTime'), width: 150, sort: 'payTime' }),
  approvalColumn<RecordRow>(),
  wordColumn<RecordRow>({
    id: 'channel',
    title: title('channel'),
    width: 118,
    word: word('channel'),
  }),
  personColumn<RecordRow>(recordStaff, {
    id: 'operatorName',
    title: title('operatorName'),
    width: 190,
    userId: (row) => row.operatorId,
    text: (row) => actorLabel(row.operatorName),
  }),
  timeColumn<RecordRow>({
    id: 'confirmTime',
    title: title('confirmTime'),
    width: 150,
  }),
  personColumn<RecordRow>(recordStaff, {
    id: 'confirmerName',
    title: title('confirmerName'),
    width: 190,
    userId: (row) => row.confirmerId,
    text: (row) => (row.confirmerName === null ? '' : actorLabel(row.confirmerName)),
  }),
  awayColumn<RecordRow>({
    id: 'planId',
    title: title('planId'),
    width: 112,
    href: (row) => (row.planId === null ? '' : planPath(row.planId, 'repay_record')),
  }),
  maskedColumn<RecordRow>({ id: 'upi', title: title('upi'), width: 140 }),
  textColumn<RecordRow>({ id: 'bankCode', title: title('bankCode'), width: 96 }),
  wordColumn<RecordRow>({ id: 'source', title: title('source'), width: 112, word: word('source') }),
  moneyColumn<RecordRow>({ id: 'surplus', title: title('surplus'), width: 112 }),
  textColumn<RecordRow>({ id: 'couponName', title: title('couponName'), width: 180 }),
  textColumn<RecordRow>({ id: 'failReason', title: title('failReason'), width: 200 }),
  textColumn<RecordRow>({ id: 'reverseReason', title: title('reverseReason'), width: 200 }),
  textColumn<RecordRow>({ id: 'remark', title: title('remark'), width: 200 }),
  textColumn<RecordRow>({ id: 'userId', title: title('userId'), width: 124 }),
]
const RECORD_NARROW = [
  'recordId',
  'orderId',
  'userName',
  'amount',
  'payState',
  'flag',
  'repaymentType',
  'utr',
  'payTime',
  'approval',
]
const RECORD_WIDE = [
  ...RECORD_NARROW,
  'channel',
  'operatorName',
  'confirmTime',
  'confirmerName',
  'couponName',
]

/** By window width. */
export const PLAN_COLUMNS = {
  narrow: shown(PLAN, PLAN_NARROW),
  wide: shown(PLAN, PLAN_WIDE),
} as const
export const RECORD_COLUMNS = {
  narrow: shown(RECORD, RECORD_NARROW),
  wide: shown(RECORD, RECORD_WIDE),
} as const
