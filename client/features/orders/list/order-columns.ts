/**
 * Columns of the order list. Those every role needs are visible; the rest are in the columns menu.
 */
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { approvalColumn } from '#client/screen/waiting-approval.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import type { OrderRow } from '../order-types.ts'
import { closeTone, codeWord, statusTone, statusWord, tagTone } from '../order-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'

type Column = GridColumn<OrderRow>
const title = (name: string) => `orders:col.${name}`

const ALL: readonly Column[] = [
  idColumn<OrderRow>({
    id: 'orderId',
    title: title('orderId'),
    width: 112,
    sort: 'orderId',
    pin: 'left',
    href: (row) => orderPath(row.orderId, 'order_list'),
  }),
  textColumn<OrderRow>({ id: 'userName', title: title('userName'), width: 152 }),
  maskedColumn<OrderRow>({ id: 'phone', title: title('phone'), width: 108 }),
  textColumn<OrderRow>({ id: 'productName', title: title('productName'), width: 96 }),
  moneyColumn<OrderRow>({ id: 'amount', title: title('amount'), width: 112 }),
  moneyColumn<OrderRow>({
    id: 'arrivalAmount',
    title: title('arrivalAmount'),
    width: 112,
  }),
  integerColumn<OrderRow>({ id: 'tenureDays', title: title('tenureDays'), width: 112 }),
  statusColumn<OrderRow>({
    id: 'status',
    title: title('status'),
    width: 210,
    sort: 'status',
    codes: ORDER_STATUSES,
    word: (status, { t }) => statusWord(Number(status), t),
    tone: statusTone,
  }),
  tagsColumn<OrderRow>({
    id: 'tags',
    title: title('tags'),
    width: 112,
    word: (tag, { t }) => codeWord('tag', tag, t),
    tone: tagTone,
  }),
  tagsColumn<OrderRow>({ id: 'couponNames', title: title('couponNames'), width: 152 }),
  timeColumn<OrderRow>({
    id: 'createTime',
    title: title('createTime'),
    width: 150,
    sort: 'createTime',
  }),
  approvalColumn<OrderRow>(),
  dayColumn<OrderRow>({ id: 'dueTime', title: title('dueTime'), width: 108, sort: 'dueTime' }),
  statusColumn<OrderRow>({
    id: 'closeType',
    title: title('closeType'),
    width: 116,
    word: (type, { t }) => codeWord('closeType', type, t),
    tone: closeTone,
  }),
  textColumn<OrderRow>({ id: 'reviewId', title: title('reviewId'), width: 104 }),
  textColumn<OrderRow>({ id: 'appName', title: title('appName'), width: 112 }),
  textColumn<OrderRow>({ id: 'channelName', title: title('channelName'), width: 140 }),
  moneyColumn<OrderRow>({ id: 'serviceCharge', title: title('serviceCharge') }),
  moneyColumn<OrderRow>({ id: 'interest', title: title('interest') }),
  moneyColumn<OrderRow>({ id: 'contractAmount', title: title('contractAmount'), width: 124 }),
  integerColumn<OrderRow>({ id: 'term', title: title('term'), width: 84 }),
  textColumn<OrderRow>({ id: 'failReason', title: title('failReason'), width: 200 }),
  timeColumn<OrderRow>({
    id: 'closeTime',
    title: title('closeTime'),
    width: 152,
    sort: 'closeTime',
  }),
  integerColumn<OrderRow>({
    id: 'overdueDays',
    title: title('overdueDays'),
    width: 104,
    upIsWorse: true,
  }),
  moneyColumn<OrderRow>({
    id: 'outstanding',
    title: title('outstanding'),
    width: 120,
  }),
  textColumn<OrderRow>({ id: 'userId', title: title('userId'), width: 124 }),
]

const NARROW = [
  'orderId',
  'userName',
  'phone',
  'productName',
  'amount',
  'tenureDays',
  'status',
  'tags',
  'createTime',
  'approval',
  'dueTime',
]
const WIDE = [...NARROW, 'arrivalAmount', 'closeType', 'reviewId', 'couponNames']

/** By window width. Constants, because the grid compares them by identity. */
export const ORDER_COLUMNS = { narrow: shown(ALL, NARROW), wide: shown(ALL, WIDE) } as const
