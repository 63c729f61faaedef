/** Rows of an order's parts - its plan, its transfers, its fines - that several features show. */
import Type from 'typebox'
import { Nullable, OneOf } from '#shared/kernel/endpoint.ts'

const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

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
  /** When the vendor reported as unknown a transfer that it had accepted. */
  lostTime: maybe,
  /** Since when people may end it, because no result came. */
  lateTime: maybe,
  version: int,
})

/** The fine by range of overdue days, in order. */
export const PenaltyData = Type.Array(
  Type.Object({ dayFrom: int, dayTo: Nullable(int), rate: int, capRatio: Nullable(int) }),
)
