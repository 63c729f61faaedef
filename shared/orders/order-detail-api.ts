/** One order with all that belongs to it. */
import Type from 'typebox'
import { PARTS } from '#shared/repayments/allocate-payment.ts'
import { PREPAYMENT_EFFECTS } from '#shared/repayments/emi/prepayment-effects.ts'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { SETTLEMENT_STATES } from '#shared/repayments/settlement-plan.ts'
import { CLOSE_AMOUNT_TYPES } from './close-types.ts'
import { PenaltyData, PlanRow, TransferRow } from './order-parts.ts'
import { OrderRow, ORDER_VIEWS } from './orders-api.ts'

const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

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
  access: ORDER_VIEWS,
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
      /** Basis points; null when nothing was paid out because the loan continues another one. */
      apr: Nullable(int),
    }),
    /** What settled a closed order (`close_amount_type`). */
    closeAmountType: Nullable(OneOf(CLOSE_AMOUNT_TYPES)),
    /**
     * Set when a machine rule refused it, with the IST day from which the customer may apply again.
     */
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
  access: ORDER_VIEWS,
  menu: 'order_list',
  input: Type.Object({ orderId: Id() }),
  data: Type.Array(
    Type.Object({ time: text, from: Nullable(int), to: int, by: maybe, cause: text, note: maybe }),
  ),
  summary: 'Status changes of one order',
})
