import Type from 'typebox'
import { PendingApproval } from '#shared/approvals/pending-approval.ts'
import {
  endpoint,
  Id,
  Nothing,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { CLOSE_TYPES } from './close-types.ts'
import { ORDER_VIEWERS } from './order-viewers.ts'

/** Endpoints of orders, and the order rows that other features show. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const [FIRST_VIEWER, ...OTHER_VIEWERS] = ORDER_VIEWERS
export const ORDER_VIEWS = [
  `${FIRST_VIEWER}:view`,
  ...OTHER_VIEWERS.map((menu) => `${menu}:view`),
] as const

export const OrderRow = Type.Object({
  orderId: text,
  userId: text,
  userName: text,
  phone: text,
  appId: text,
  appName: text,
  productId: text,
  productName: text,
  channelId: text,
  channelName: text,
  amount: int,
  arrivalAmount: int,
  serviceCharge: int,
  interest: int,
  contractAmount: int,
  tenureDays: int,
  term: int,
  /** IST day of the last instalment. */
  dueTime: maybe,
  closeTime: maybe,
  closeType: text,
  status: int,
  tags: Type.Array(text),
  /** Coupons used with it, by id and by name. */
  couponIds: Type.Array(text),
  couponNames: Type.Array(text),
  failReason: maybe,
  overdueDays: int,
  reviewId: maybe,
  outstanding: int,
  rbiClass: text,
  kfsVersion: maybe,
  kfsAcceptTime: maybe,
  coolingOffUntil: maybe,
  createTime: text,
  disburseTime: maybe,
  version: int,
  /** Needs a second person's approval. */
  approval: Nullable(PendingApproval),
})

export const ORDER_QUICK_VIEWS = [
  'reviewing',
  'awaitingReview',
  'disbursing',
  'failed',
  'awaitingRepayment',
  'overdue',
  'closed',
] as const

export const listOrders = endpoint({
  method: 'GET',
  path: '/order/list',
  exports: [{ code: 'order_list:export' }],
  file: { path: '/export/list/orderExport' },
  access: ['order_list:view'],
  menu: 'order_list',
  input: ListInput({
    orderId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
    /** Comma separated status numbers. */
    status: Type.Optional(Type.String({ maxLength: 80, pattern: '^\\d{2,3}(,\\d{2,3})*$' })),
    tags: Type.Optional(Type.String({ maxLength: 80, pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' })),
    productId: Type.Optional(Id()),
    appId: Type.Optional(Id()),
    channelId: Type.Optional(Id()),
    amountFrom: Type.Optional(Paise({ minimum: 0 })),
    amountTo: Type.Optional(Paise({ minimum: 0 })),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
    dueTimeFrom: Type.Optional(Time()),
    dueTimeTo: Type.Optional(Time()),
    closeTimeFrom: Type.Optional(Time()),
    closeTimeTo: Type.Optional(Time()),
    closeType: Type.Optional(OneOf(CLOSE_TYPES)),
    /** Comma separated: what machine and reviewers decided, whatever the status is by now. */
    outcome: Type.Optional(Type.String({ maxLength: 80, pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' })),
    outcomeTimeFrom: Type.Optional(Time()),
    outcomeTimeTo: Type.Optional(Time()),
    /** Of a rule of the machine, or of the reviewer who refused it. */
    refusalCode: Type.Optional(Text(1, 40)),
    /** Loans that were paid off, whose customer was paid out again within so many days. */
    againWithin: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    overdueFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    overdueTo: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  }),
  data: ListData(OrderRow),
  summary: 'Orders in any state',
})

export const orderOptions = endpoint({
  method: 'GET',
  path: '/order/options',
  access: ['order_list:view'],
  menu: 'order_list',
  input: Type.Object({}),
  data: Type.Object({
    products: Type.Array(Type.Object({ id: text, name: text })),
    apps: Type.Array(Type.Object({ id: text, name: text })),
    channels: Type.Array(Type.Object({ id: text, name: text })),
  }),
  summary: 'Products, apps and channels for the filters',
})

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/order/cancel',
  access: ['order_list:cancel'],
  menu: 'order_list',
  input: Type.Object({ orderId: Id(), version: Version(), reason: Text(4, 200) }, strict),
  data: OrderRow,
  audit: 'cancel',
  idempotency: 'required',
  summary: 'Cancels an order before disbursement; its review leaves the queue',
})

export const remarkOrder = endpoint({
  method: 'POST',
  path: '/order/remark',
  access: ['order_list:remark'],
  menu: 'order_list',
  input: Type.Object({ orderId: Id(), remark: Text(1, 500) }, strict),
  data: Nothing(),
  audit: 'remark',
  summary: 'Adds a note to an order',
})
