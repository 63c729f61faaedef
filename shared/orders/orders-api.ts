import Type from 'typebox'
import { PARTS } from '#shared/repayments/allocate-payment.ts'
import { PREPAYMENT_EFFECTS } from '#shared/repayments/emi/prepayment-effects.ts'
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
import { SETTLEMENT_STATES } from '#shared/repayments/settlement-plan.ts'
import { CLOSE_AMOUNT_TYPES, CLOSE_TYPES } from './close-types.ts'
import { ORDER_VIEWERS } from './order-viewers.ts'

/** Endpoints of orders, and the order rows that other features show. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const [FIRST_VIEWER, ...OTHER_VIEWERS] = ORDER_VIEWERS
const VIEWS = [`${FIRST_VIEWER}:view`, ...OTHER_VIEWERS.map((menu) => `${menu}:view`)] as const

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

/** What a row of a plan is; others than instalments belong to EMI loans. */
export const PLAN_KINDS = ['instalment', 'prepayment', 'foreclosure', 'calledIn'] as const

export const PlanRow = Type.Object({
  planId: text,
  orderId: text,
  serialNo: int,
  kind: OneOf(PLAN_KINDS),
  dueTime: text,
  amountDue: int,
  principal: int,
  interest: int,
  serviceFee: int,
  /** For debits of an EMI loan that the bank returned. */
  bounceCharge: int,
  overdueFine: int,
  reducedFees: int,
  paidAmount: int,
  outstanding: int,
  paymentStatus: text,
  overdueDays: int,
  actualRepaymentTime: maybe,
  version: int,
})

export const WAIT_REASONS = ['noAnswer', 'unreachable', 'declined', 'vendorOut'] as const

export const TransferRow = Type.Object({
  transferId: text,
  orderId: text,
  platformOrderNo: text,
  vendorOrderNo: maybe,
  vendorCode: text,
  payeeName: text,
  transferType: text,
  account: text,
  amount: int,
  payState: text,
  attemptNo: int,
  failTime: maybe,
  failReason: maybe,
  /** Why a transfer under way waits, or why one that no vendor took was passed on. */
  waitReason: Nullable(OneOf(WAIT_REASONS)),
  handlingMethod: maybe,
  utr: maybe,
  createTime: text,
  finishTime: maybe,
  /** The result that contradicts `payState`, and what was found out about it. */
  conflict: maybe,
  conflictTime: maybe,
  conflictOutcome: maybe,
  /** Paise that left beside the loan and have not come back. */
  strayOpen: int,
  /** When the vendor said it does not know the transfer, which it had accepted. */
  lostTime: maybe,
  /** Since when people may end it, because no result came. */
  lateTime: maybe,
  version: int,
})

/** The fine by range of overdue days, in order. */
export const PenaltyData = Type.Array(
  Type.Object({ dayFrom: int, dayTo: Nullable(int), rate: int, capRatio: Nullable(int) }),
)

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

/** What was agreed on an EMI loan. */
const EmiData = Type.Object({
  annualRate: int,
  instalments: int,
  dueDay: int,
  graceDays: int,
  bounceCharge: int,
  prepayment: OneOf(PREPAYMENT_EFFECTS),
  fee: int,
  gst: int,
  parts: Type.Array(OneOf(PARTS)),
  badDebtDays: int,
})

export const orderDetail = endpoint({
  method: 'GET',
  path: '/order/detail',
  access: VIEWS,
  menu: 'order_list',
  input: Type.Object({ orderId: Id() }),
  data: Type.Object({
    order: OrderRow,
    customer: Type.Object({
      userId: text,
      name: text,
      phone: text,
      city: maybe,
      postcode: maybe,
      customerClass: text,
      certified: Type.Boolean(),
      blacklisted: Type.Boolean(),
      orderCount: int,
      settlementCount: int,
    }),
    terms: Type.Object({
      serviceRate: int,
      dailyRate: int,
      penalty: PenaltyData,
      periods: int,
      daysPerPeriod: int,
      coolingOffDays: int,
      emi: Nullable(EmiData),
      /** Basis points; null when nothing was paid out because the loan continues another one. */ apr: Nullable(
        int,
      ),
    }),
    /**
     * Set when a machine rule refused it, with the IST day from which the customer may apply again.
     */
    /** What settled a closed order (`close_amount_type`). */
    closeAmountType: Nullable(OneOf(CLOSE_AMOUNT_TYPES)),
    refusal: Nullable(Type.Object({ code: text, coolDownUntil: maybe })),
    plans: Type.Array(PlanRow),
    transfers: Type.Array(TransferRow),
    ledger: Type.Array(
      Type.Object({
        txnId: text,
        time: text,
        day: text,
        kind: text,
        account: text,
        /** Of the instalment, for what is booked on one. */
        serialNo: Nullable(int),
        debit: int,
        credit: int,
      }),
    ),
    /** The extension and the successor order. */
    extension: Nullable(Type.Object({ fee: int, commission: int, days: int, newOrderId: text })),
    /** The previous order, and the number of this extension. */
    fromOrderId: maybe,
    extensionNo: Nullable(int),
    /**
     * The newest settlement plan: IST days and paise; `paid` is the reduction of the debt under it.
     */
    settlement: Nullable(
      Type.Object({
        settlementId: text,
        approvalId: text,
        state: OneOf(SETTLEMENT_STATES),
        /** IST day from which no fines accrue. */
        asOf: text,
        total: int,
        paid: int,
        rows: Type.Array(Type.Object({ dueTime: text, amount: int })),
        startTime: text,
        endTime: maybe,
      }),
    ),
    remarks: Type.Array(Type.Object({ time: text, by: text, remark: text })),
    /** The newest collection case, for users who may open it. */
    caseId: maybe,
    /** Only for the lender's own staff; empty for users of an outside agency. */
    withheld: Type.Array(OneOf(['ledger', 'remarks'])),
    /** Lifecycle events the caller may send now. */
    allowed: Type.Array(text),
  }),
  summary: 'The whole life of one order',
})

export const orderTimeline = endpoint({
  method: 'GET',
  path: '/order/timeline',
  access: VIEWS,
  menu: 'order_list',
  input: Type.Object({ orderId: Id() }),
  data: Type.Array(
    Type.Object({ time: text, from: Nullable(int), to: int, by: maybe, cause: text, note: maybe }),
  ),
  summary: 'Status changes of one order',
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
