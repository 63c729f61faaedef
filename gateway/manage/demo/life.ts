/**
 * One order as the demo lives it: what happens is recorded step by step, in the order of time, and
 * later written as rows. Money in paise, instants in milliseconds.
 */
import { share } from '#shared/kernel/money.ts'
import type { EmiAgreement } from '#shared/products/emi-offer.ts'
import type { PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import { ENDED_STATUSES, type OrderStatus } from '#shared/orders/order-statuses.ts'
import type { OrderTerms } from '#gateway/manage/features/orders/order-terms.ts'
import type { StaffMember } from './accounts.ts'
import type { Doer } from './doers.ts'
import type { Product } from './products.ts'
import type { ReviewLife } from './review-life-types.ts'

export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000

export interface Step {
  from: OrderStatus | null
  to: OrderStatus
  cause: string
  by: Doer
  note: string | null
  at: number
}
export interface Transfer {
  attemptNo: number
  state: 'inProgress' | 'success' | 'fail'
  at: number
  sent: boolean
  finishedAt: number | null
  failReason: string | null
  handlingMethod: string | null
}
export interface Plan {
  serialNo: number
  /** Rows that are no instalments belong to EMI loans; a prepayment is that of its payment. */
  kind: 'instalment' | 'prepayment' | 'foreclosure'
  prepaidWith: Payment | null
  dueAt: string
  principal: number
  interest: number
  fine: number
  reduced: number
  waived: number
  paid: number
  /** For debits the bank returned. */
  bounced: number
  openPrincipal: number
  openInterest: number
  openService: number
  openFine: number
  /** IST day up to which fines are posted. */
  accruedTo: string
  status: string
  overdueDays: number
  reductionAt: number | null
  settledAt: number | null
}
export interface Line {
  account: string
  plan: Plan | null
  /** Positive = debit, negative = credit. */
  amount: number
  /** The line belongs to the order that follows a rollover. */
  ofSuccessor?: boolean
}
/** Money of the borrower on its way in. */
export interface Payment {
  plan: Plan
  amount: number
  type: 'full' | 'partial' | 'rollover'
  at: number
  /** When the channel confirmed it; null = under way. */
  doneAt: number | null
  /** What it changes in the plan of an EMI loan. */
  ahead: PrepaymentEffect | null
  /** Of a debit that the bank returned: what that costs. */
  bounceCharge?: number
}
export interface Posting {
  kind: string
  at: number
  bizDate: string
  lines: Line[]
  /** The payment it books, or whose coupon it books. */
  payment?: Payment
}

export interface Life {
  createdAt: number
  product: Product
  /** Terms of an EMI loan; others have those of their product. */
  emi: (OrderTerms & { emi: EmiAgreement }) | null
  amount: number
  serviceCharge: number
  interest: number
  /** Days to the last instalment, and how many instalments there are. */
  tenureDays: number
  term: number
  tags: string[]
  status: OrderStatus
  closeAmountType: string | null
  failReason: string | null
  refusalCode: string | null
  /** IST day. */
  coolDownUntil: string | null
  disbursedAt: number | null
  closedAt: number | null
  resumeStatus: OrderStatus | null
  steps: Step[]
  transfers: Transfer[]
  plans: Plan[]
  payments: Payment[]
  postings: Posting[]
  review: ReviewLife | null
  isDoubtful: boolean
  blacklistedAt: number | null
  follows: Life | null
  /** Of an order that follows: what the extension cost, and which of the loan it is. */
  extension: { payment: Payment; fee: number; commission: number; serialNo: number } | null
}

/** Who works and when it is now; the same for every life of a seed. */
export interface World {
  asOf: number
  /** IST day whose opening run is done. */
  today: string
  reviewers: readonly StaffMember[]
  inspectors: readonly StaffMember[]
  managers: readonly StaffMember[]
}

export function newLife(createdAt: number, product: Product, amount: number, tags: string[]): Life {
  return {
    createdAt,
    product,
    emi: null,
    amount,
    tags,
    tenureDays: product.tenureDays,
    term: product.periods,
    serviceCharge: Number(share(BigInt(amount), BigInt(product.serviceRate))),
    interest: Number(share(BigInt(amount), BigInt(product.dailyRate * product.tenureDays))),
    status: 10,
    closeAmountType: null,
    failReason: null,
    refusalCode: null,
    coolDownUntil: null,
    disbursedAt: null,
    closedAt: null,
    resumeStatus: null,
    steps: [],
    transfers: [],
    plans: [],
    payments: [],
    postings: [],
    review: null,
    isDoubtful: false,
    blacklistedAt: null,
    follows: null,
    extension: null,
  }
}

const ENDED: ReadonlySet<OrderStatus> = new Set(ENDED_STATUSES)

export function isClosed(status: OrderStatus): boolean {
  return ENDED.has(status)
}

export function step(
  life: Life,
  to: OrderStatus,
  cause: string,
  by: Doer,
  at: number,
  note: string | null = null,
): void {
  life.steps.push({ from: life.steps.length === 0 ? null : life.status, to, cause, by, note, at })
  life.status = to
  if (isClosed(to)) life.closedAt = at
}

export function openOf(plan: Plan): number {
  return plan.openPrincipal + plan.openInterest + plan.openService + plan.openFine
}
