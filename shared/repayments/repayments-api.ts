import Type from 'typebox'
import { PREPAYMENT_EFFECTS } from './emi/prepayment-effects.ts'
import { AMOUNT_TYPES, PREFERENTIAL_TYPES } from '#shared/coupons/coupon-sets.ts'
import { Effect } from '#shared/approvals/effect.ts'
import { PendingApproval } from '#shared/approvals/pending-approval.ts'
import {
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { PenaltyData, PlanRow as OrderPlanRow } from '#shared/orders/order-parts.ts'
import { PaidFields } from './paid-fields.ts'
import { ReduceRow } from './reductions-api.ts'
import {
  PAY_STATES,
  QUOTE_TYPES,
  RECORD_SOURCES,
  REPAYMENT_TYPES,
  REVERSAL_CAUSES,
  SETTLED_SIDES,
  STAFF_REPAYMENT_TYPES,
} from './payment-sets.ts'

/** Calls of instalments and payments. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const Codes = () => Type.String({ maxLength: 120, pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' })

/** Any of these codes may read an instalment: the lists of money, and the desks that show it. */
const VIEWS = [
  'repay_plan:view',
  'repay_record:view',
  'repay_proof:decide',
  'pedding_list:view',
  'peded_list:view',
] as const

export const PlanRow = Type.Object({
  ...OrderPlanRow.properties,
  userId: text,
  userName: text,
  phone: text,
  reductionTime: maybe,
})

export const RecordRow = Type.Object({
  recordId: text,
  /** Null while it is parked; `toldOrderId` is the order the channel named. */
  orderId: maybe,
  toldOrderId: text,
  planId: maybe,
  userId: maybe,
  userName: maybe,
  repaymentType: text,
  amount: int,
  /** Part of the amount beyond the debt: it is the customer's credit. */
  surplus: int,
  /** The coupon used with it. */
  couponId: maybe,
  couponName: maybe,
  utr: maybe,
  upi: maybe,
  channel: int,
  bankCode: maybe,
  payState: text,
  source: text,
  /** Why it needs attention. */
  flag: maybe,
  payTime: text,
  confirmTime: maybe,
  /** Null when a channel reported it: `operatorName` is then the channel's. */
  operatorId: maybe,
  operatorName: text,
  confirmerId: maybe,
  confirmerName: maybe,
  failReason: maybe,
  /** What a debit that the bank returned costs, in paise. */
  bounceCharge: int,
  remark: maybe,
  /** When its channel later reported it as failed; null when that is settled. */
  conflictTime: maybe,
  reversedTime: maybe,
  reverseReason: maybe,
  version: int,
  /** A request for its reversal waits for approval. */
  approval: Nullable(PendingApproval),
})

const Parts = Type.Object({ principal: int, interest: int, serviceFee: int, overdueFine: int })

export const listPlans = endpoint({
  method: 'GET',
  path: '/repay/plan/list',
  exports: [{ code: 'repay_plan:export' }],
  file: { path: '/export/list/repayExport', when: { type: ['plan'] } },
  access: ['repay_plan:view'],
  menu: 'repay_plan',
  input: ListInput({
    planId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
    /** Comma separated. */
    paymentStatus: Type.Optional(Codes()),
    dueTimeFrom: Type.Optional(Time()),
    dueTimeTo: Type.Optional(Time()),
    overdueFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    overdueTo: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    productId: Type.Optional(Id()),
    appId: Type.Optional(Id()),
    /** Instalments that something falls due of: no money paid ahead, no rest of an ended loan. */
    scheduled: Type.Optional(OneOf(['true'])),
    settled: Type.Optional(OneOf(SETTLED_SIDES)),
  }),
  data: ListData(PlanRow),
  summary: 'Instalments with their due day and borrower',
})

export const planOptions = endpoint({
  method: 'GET',
  path: '/repay/plan/options',
  access: ['repay_plan:view'],
  menu: 'repay_plan',
  input: Type.Object({}),
  data: Type.Object({
    products: Type.Array(Type.Object({ id: text, name: text })),
    apps: Type.Array(Type.Object({ id: text, name: text })),
  }),
  summary: 'Products and apps for the filters',
})

export const planDetail = endpoint({
  method: 'GET',
  path: '/repay/plan/detail',
  access: VIEWS,
  menu: 'repay_plan',
  input: Type.Object({ planId: Id() }),
  data: Type.Object({
    plan: PlanRow,
    /** Open amount of each part. */
    open: Parts,
    order: Type.Object({
      orderId: text,
      productName: text,
      status: int,
      outstanding: int,
      overdueDays: int,
      penalty: PenaltyData,
      version: int,
      instalments: int,
    }),
    /** All instalments of the order, oldest due first. */
    siblings: Type.Array(
      Type.Object({
        planId: text,
        serialNo: int,
        kind: PlanRow.properties.kind,
        dueTime: text,
        outstanding: int,
        paymentStatus: text,
      }),
    ),
    /** Payments made for this instalment or allocated to it. */
    records: Type.Array(RecordRow),
    /** What each payment cleared of this instalment. */
    allocations: Type.Array(Type.Object({ recordId: text, kind: text, ...Parts.properties })),
    /** Fines as charged and corrected, by IST day. */
    fines: Type.Array(Type.Object({ date: text, fine: int })),
    /** Of the order, newest first. */
    reductions: Type.Array(ReduceRow),
  }),
  summary: 'One instalment: fines by day and what each payment cleared',
})

export const quotePayment = endpoint({
  method: 'GET',
  path: '/repay/quote',
  access: [...VIEWS, 'flat_management:launch'],
  menu: 'repay_plan',
  input: Type.Object({
    orderId: Id(),
    type: OneOf(QUOTE_TYPES),
    /** When the borrower paid: its IST day decides the fines. Defaults to now. */
    payTime: Type.Optional(Time()),
  }),
  data: Type.Object({
    orderId: text,
    version: int,
    status: int,
    userName: text,
    /** IST day the amounts are calculated for. */
    valueDay: text,
    amountDue: int,
    components: Parts,
    /** What money ahead of the plan of an EMI loan changes, unless it is chosen; null = no EMI loan. */
    prepayment: Nullable(OneOf(PREPAYMENT_EFFECTS)),
    /** Of an approved reduction, deducted from a payment in full. */
    reduction: int,
    /** Unused coupons of the borrower that would give up something, and what then settles. */
    coupons: Type.Array(
      Type.Object({
        grantId: text,
        preferentialType: OneOf(PREFERENTIAL_TYPES),
        amountType: OneOf(AMOUNT_TYPES),
        discountAmount: Nullable(int),
        rate: Nullable(int),
        ratio: Nullable(int),
        minAmount: int,
        validUntil: text,
        discount: int,
        due: int,
      }),
    ),
    coolingOff: Nullable(
      Type.Object({ until: text, daysUsed: int, principal: int, proportionateCharge: int }),
    ),
    /**
     * Of an extension: the commission is a part of the fee, `carried` is the amount carried over to
     * the following order.
     */
    rollover: Nullable(
      Type.Object({
        fee: int,
        commission: int,
        overdueFine: int,
        carried: int,
        days: int,
        newDueTime: text,
        serialNo: int,
        maxTimes: int,
      }),
    ),
    asOf: text,
  }),
  summary:
    'What an order owes on a day, for a payment in full, in part, out of the cooling-off, or what its extension costs',
})

export const listRecords = endpoint({
  method: 'GET',
  path: '/repay/record/list',
  exports: [{ code: 'repay_record:export' }],
  file: { path: '/export/list/repayExport', when: { type: ['record'] } },
  access: ['repay_record:view'],
  menu: 'repay_record',
  input: ListInput({
    recordId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    utr: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{4,22}$' })),
    channel: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    payState: Type.Optional(OneOf(PAY_STATES)),
    repaymentType: Type.Optional(OneOf(REPAYMENT_TYPES)),
    source: Type.Optional(OneOf(RECORD_SOURCES)),
    /** Payments that were taken back, or only those that were not. */
    reversed: Type.Optional(Type.Boolean()),
    /** Only payments whose channel contradicts itself and that are not decided. */
    conflict: Type.Optional(Type.Boolean()),
    payTimeFrom: Type.Optional(Time()),
    payTimeTo: Type.Optional(Time()),
  }),
  data: ListData(RecordRow),
  summary: 'Money received; payments without an order that takes them stand first',
})

export const recordDetail = endpoint({
  method: 'GET',
  path: '/repay/record/detail',
  access: ['repay_record:view'],
  menu: 'repay_record',
  input: Type.Object({ recordId: Id() }),
  data: Type.Object({
    record: RecordRow,
    /** What it cleared of each instalment, and what was reversed of that, by kind of posting. */
    allocations: Type.Array(
      Type.Object({ planId: text, serialNo: int, kind: text, ...Parts.properties }),
    ),
    /** The receipt it was accepted from. */
    proofId: maybe,
    /** Who approved its reversal. */
    reversedBy: maybe,
  }),
  summary: 'A payment and the debts it cleared',
})

const Both = <T extends Type.TSchema>(value: T) => Type.Object({ before: value, after: value })

/** What a payment would change, found by executing it and rolling it back. */
const Preview = Type.Object({
  orderId: text,
  /** IST day of the payment. */
  valueDay: text,
  /** Paise the order owed on that day; for a written-off loan the remaining claim. */
  due: int,
  surplus: int,
  /** What its coupon gives up. */
  couponed: int,
  /** The order that would follow the extended one. */
  successor: Nullable(Type.Object({ amount: int, outstanding: int, dueTime: text })),
  status: Both(int),
  outstanding: Both(int),
  overdueDays: Both(int),
  plans: Type.Array(
    Type.Object({
      planId: text,
      serialNo: int,
      kind: PlanRow.properties.kind,
      dueTime: text,
      paymentStatus: Both(text),
      overdueDays: Both(int),
      overdueFine: Both(int),
      outstanding: Both(int),
      cleared: Parts,
    }),
  ),
  /**
   * What is to come: the instalment after the next one, in paise, and the day of the last; null with
   * less than two.
   */
  toCome: Nullable(Type.Object({ instalment: int, until: text })),
  /**
   * What other payments clear otherwise because this one counts before them: paise more or less of
   * each part of an instalment; without an instalment, of the customer's credit.
   */
  recounted: Type.Array(
    Type.Object({
      recordId: text,
      payTime: Time(),
      serialNo: Nullable(int),
      change: Parts,
      credit: int,
    }),
  ),
  /** The open collection case; a stage of null after the payment = the case is closed. */
  case: Nullable(
    Type.Object({
      caseId: text,
      stage: Type.Object({ before: text, after: maybe }),
      promise: Type.Object({ before: maybe, after: maybe }),
    }),
  ),
})

export const previewPayment = endpoint({
  method: 'GET',
  path: '/repay/record/preview',
  access: ['repay_record:add', 'order_list:coolingOff', 'repay_proof:decide'],
  menu: 'repay_record',
  input: Type.Object({
    orderId: Id(),
    repaymentType: OneOf(QUOTE_TYPES),
    amount: Paise({ minimum: 1, maximum: 10 ** 15 }),
    payTime: Time(),
    couponGrantId: Type.Optional(Id()),
    ahead: Type.Optional(OneOf(PREPAYMENT_EFFECTS)),
  }),
  data: Preview,
  summary: 'Effects of a payment, before it is booked',
})

export const previewReversal = endpoint({
  method: 'GET',
  path: '/repay/record/reverse/preview',
  access: ['repay_record:reverse'],
  menu: 'repay_record',
  input: Type.Object({ recordId: Id(), cause: OneOf(REVERSAL_CAUSES) }),
  data: Effect,
  summary: 'Effects of reversing a payment, before it is requested',
})

export const previewConfirmation = endpoint({
  method: 'GET',
  path: '/repay/record/confirm/preview',
  access: ['repay_record:confirm'],
  menu: 'repay_record',
  input: Type.Object({ recordId: Id() }),
  data: Preview,
  summary: 'Effects of confirming a payment, before it is confirmed',
})

export const addRecord = endpoint({
  method: 'POST',
  path: '/repay/record/add',
  access: ['repay_record:add'],
  menu: 'repay_record',
  input: Type.Object(
    {
      orderId: Id(),
      version: Version(),
      repaymentType: OneOf(STAFF_REPAYMENT_TYPES),
      ...PaidFields,
      /** A coupon of the borrower that gives up fees with it. */
      couponGrantId: Type.Optional(Id()),
      /** What it changes in the plan of an EMI loan beyond what is due. */
      ahead: Type.Optional(OneOf(PREPAYMENT_EFFECTS)),
      remark: Type.Optional(Text(1, 200)),
    },
    strict,
  ),
  data: Type.Object({ recordId: text }),
  audit: 'addRepayment',
  idempotency: 'required',
  summary: 'Books a payment that another person then confirms',
})

export const confirmRecord = endpoint({
  method: 'POST',
  path: '/repay/record/confirm',
  access: ['repay_record:confirm'],
  menu: 'repay_record',
  input: Type.Object(
    {
      recordId: Id(),
      version: Version(),
      result: OneOf(['success', 'fail']),
      failReason: Type.Optional(Text(4, 200)),
    },
    strict,
  ),
  data: RecordRow,
  audit: 'confirmRepayment',
  idempotency: 'required',
  summary: 'Confirms a booked payment or fails it; refused for the person who booked it',
})

export const reverseRecord = endpoint({
  method: 'POST',
  path: '/repay/record/reverse',
  access: ['repay_record:reverse'],
  menu: 'repay_record',
  input: Type.Object(
    { recordId: Id(), version: Version(), cause: OneOf(REVERSAL_CAUSES), reason: Text(4, 200) },
    strict,
  ),
  data: Type.Object({ approvalId: text }),
  audit: 'requestReversal',
  idempotency: 'required',
  summary: 'Requests the reversal of a received payment; another person approves it',
})

export const keepRecord = endpoint({
  method: 'POST',
  path: '/repay/record/keep',
  access: ['repay_record:reverse'],
  menu: 'repay_record',
  input: Type.Object({ recordId: Id(), version: Version(), reason: Text(4, 200) }, strict),
  data: Type.Object({ approvalId: text }),
  audit: 'askKeepPayment',
  idempotency: 'required',
  summary:
    'Requests to keep a payment that its channel later reported as failed; another person approves it',
})
