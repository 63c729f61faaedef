/** Lists whose filters select exactly what a measure counts. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { OrderOutcome } from '#shared/orders/order-outcomes.ts'
import type { RELOAN_DAYS } from '#shared/reports/reloan-days.ts'
import type { SETTLED_SIDES } from '#shared/repayments/payment-sets.ts'
import type { QualityClass, RejectCode } from '#shared/review/reject-reasons.ts'
import { chosenFilters, type Group, type Rows } from './report-measures.ts'

export const REGISTRATIONS: Rows = {
  menu: 'customer_list',
  path: '/customer_management/customer_list',
  days: 'registerTime',
  takes: ['channelId', 'appId'],
}
export const CERTIFIED: Rows = { ...REGISTRATIONS, filters: { certified: ['true'] } }
/** An order has one of three tags; one that an extension opened is no application. */
export const APPLICATIONS: Rows = {
  menu: 'order_list',
  path: '/order_management/order_list',
  days: 'createTime',
  filters: { tags: ['firstLoan', 'reLoan'] },
  takes: ['channelId', 'appId', 'productId'],
}
/** Orders by what was decided, on the day of the decision. */
export function decidedAs(...outcomes: OrderOutcome[]): Rows {
  return {
    menu: 'order_list',
    path: '/order_management/order_list',
    days: 'outcomeTime',
    filters: { outcome: outcomes },
    takes: ['channelId', 'appId', 'productId'],
  }
}
/** Loans that were paid off, in full or with a reduction. */
export const SETTLED: Rows = {
  menu: 'order_list',
  path: '/order_management/order_list',
  days: 'closeTime',
  filters: { status: ['40', '41'] },
  takes: ['channelId', 'appId', 'productId'],
}
/** Those of them whose customer borrowed again so soon. */
export function cameBackWithin(days: (typeof RELOAN_DAYS)[number]): Rows {
  return withFilters(SETTLED, { againWithin: [String(days)] })
}
/** Orders that were refused under a code, by the machine or by a reviewer. */
export function refusedFor(code: string): Rows {
  return withFilters(decidedAs('autoFailed', 'limitFailed', 'manualFailed'), {
    refusalCode: [code],
  })
}
export const DISBURSED: Rows = {
  menu: 'loan_list',
  path: '/order_management/loan_list',
  days: 'disburseTime',
  filters: { tags: ['firstLoan', 'reLoan'] },
  takes: ['channelId', 'appId', 'productId'],
}
export const FIRST_LOANS: Rows = { ...DISBURSED, filters: { tags: ['firstLoan'] } }
export const RE_LOANS: Rows = { ...DISBURSED, filters: { tags: ['reLoan'] } }

function withFilters(rows: Rows, filters: NonNullable<Rows['filters']>): Rows {
  return { ...rows, filters: { ...rows.filters, ...filters } }
}

/** Rows of the class the row of the report is of, or of the one that is chosen. */
export function byClass(rows: Rows): (row: Group, context: ListContext) => Rows {
  return (row, context) => {
    const customerClass = row.customerClass ?? chosenFilters(context).customerClass?.[0]
    if (customerClass === undefined) return rows
    return {
      ...withFilters(rows, { tags: [customerClass === 'new' ? 'firstLoan' : 'reLoan'] }),
      takes: [...rows.takes, 'customerClass'],
    }
  }
}

export const DUE_PLANS: Rows = {
  menu: 'repay_plan',
  path: '/order_management/repay_plan',
  days: 'dueTime',
  filters: { scheduled: ['true'] },
  takes: ['appId', 'productId'],
}
export function plansSettled(side: (typeof SETTLED_SIDES)[number]): Rows {
  return withFilters(DUE_PLANS, { settled: [side] })
}
export const EXTENDED_PLANS: Rows = {
  ...DUE_PLANS,
  filters: { ...DUE_PLANS.filters, paymentStatus: ['rolledOver'] },
}
/** Payments that stand. */
export const PAYMENTS: Rows = {
  menu: 'repay_record',
  path: '/order_management/repay_record',
  days: 'payTime',
  filters: { payState: ['success'], reversed: ['false'] },
  takes: [],
}
export const BILLS: Rows = {
  menu: 'recycle_bill',
  path: '/loaned_management/recycle_bill',
  days: 'date',
  takes: ['stageId', 'agencyId'],
  isScopedAlike: true,
}
const REVIEWS: Omit<Rows, 'days'> = {
  menu: 'review_list',
  path: '/order_management/review_list',
  filters: { tab: ['all'] },
  takes: ['reviewerId'],
}
export const QUEUED_REVIEWS: Rows = { ...REVIEWS, days: 'queuedTime', takes: [] }
export const DECIDED_REVIEWS: Rows = { ...REVIEWS, days: 'decidedTime' }
export const CHECKED_REVIEWS: Rows = { ...REVIEWS, days: 'checkedTime' }
export function mistakes(qualityClass: QualityClass): Rows {
  return withFilters(CHECKED_REVIEWS, { quality: ['fail'], qualityClass: [qualityClass] })
}
export function rejectedFor(code: RejectCode | undefined): Rows {
  return withFilters(DECIDED_REVIEWS, {
    result: ['failed'],
    ...(code === undefined ? {} : { rejectCode: [code] }),
  })
}
export const NEW_TICKETS: Rows = {
  menu: 'user_feedback',
  path: '/customer_management/user_feedback',
  days: 'createTime',
  filters: { tab: ['all'] },
  takes: [],
}
