/** Figures of reports, counted from the book by plain arithmetic. */
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { Book, BookCustomer, BookOrder, BookPlan } from './report-book.ts'

export const TODAY = istDay(Date.now())
export const RANGE = { dateFrom: addDays(TODAY, -60), dateTo: TODAY }

interface Part {
  isIn(order: { channelId: string; appId: string }): boolean
  on(day: string | null): boolean
  /** Cohorts that waiting can change are left out. */
  isCompleteOnly: boolean
}

export function within(day: string | null, { dateFrom, dateTo } = RANGE): boolean {
  return day !== null && day >= dateFrom && day <= dateTo
}

export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole))
}

/** Place of the last step of the conversion that a customer has completed. */
export function furthest(customer: BookCustomer, orders: readonly BookOrder[]): number {
  const own = orders.filter(
    ({ customerId, fromOrderId }) => customerId === customer.id && fromOrderId === null,
  )
  const didAny = (isIt: (step: { from: number | null; to: number }) => boolean) =>
    own.some(({ steps }) => steps.some(isIt))
  return [
    true,
    customer.hasIdCheck,
    customer.photoKinds === 4,
    customer.contacts === 3,
    customer.hasCard,
    customer.hasCredit,
    own.length > 0,
    didAny(({ to }) => to === 20 || to === 26),
    didAny(({ from, to }) => from === 29 && to === 30),
  ].lastIndexOf(true)
}

export function countOrders(orders: readonly BookOrder[], on: (day: string | null) => boolean) {
  const reached = (...statuses: number[]) =>
    orders.flatMap(({ steps }) =>
      steps.filter(({ to, on: day }) => statuses.includes(to) && on(day)),
    ).length
  const paidOut = orders.filter(({ steps }) =>
    steps.some(({ from, to, on: day }) => from === 29 && to === 30 && on(day)),
  )
  const ended = orders.flatMap(({ transfers }) => transfers.filter((one) => on(one.endedOn)))
  const amount = paidOut.reduce((sum, order) => sum + order.amount, 0)
  return {
    applications: orders.filter((one) => one.fromOrderId === null && on(one.createdOn)).length,
    approved: reached(20, 26),
    autoPassed: reached(20),
    autoFailed: reached(21),
    undecided: reached(22),
    limitFailed: reached(23),
    manualPassed: reached(26),
    manualFailed: reached(27),
    approvalRate: rate(reached(20, 26), reached(20, 26, 21, 23, 27)),
    disbursed: paidOut.length,
    disbursedAmount: amount,
    paidOutRate: rate(paidOut.length, reached(20, 26)),
    firstLoans: paidOut.filter(({ tags }) => tags.includes('firstLoan')).length,
    reLoans: paidOut.filter(({ tags }) => tags.includes('reLoan')).length,
    averageAmount:
      paidOut.length === 0
        ? null
        : Math.floor((2 * amount + paidOut.length) / (2 * paidOut.length)),
    failedTransfers: ended.filter(({ state }) => state === 'fail').length,
    payoutFailRate: rate(ended.filter(({ state }) => state === 'fail').length, ended.length),
  }
}

/** Those of the counted figures that the answer has. */
export function like(counted: object, figures: object): object {
  return Object.fromEntries(Object.entries(counted).filter(([name]) => name in figures))
}

/** Monday of the week, and the first of the month, by the calendar of the runtime. */
export function startOf(day: string, grain: 'week' | 'month'): string {
  const date = new Date(`${day}T12:00:00Z`)
  if (grain === 'month') date.setUTCDate(1)
  else date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** Paid, in paise, on a plan up to an IST day. */
export function paidBy({ entries }: BookPlan, day: string): number {
  return entries
    .filter(({ kind }) =>
      ['repayment', 'coolingOffExit', 'reversal', 'reallocation'].includes(kind),
    )
    .filter(({ on }) => on <= day)
    .reduce((sum, { amount }) => sum + amount, 0)
}

export function settledBy({ status, settledOn }: BookPlan, day: string): boolean {
  return status === 'paid' && settledOn !== null && settledOn <= day
}

export function add<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0)
}

export function countRepayment(plans: readonly BookPlan[], isCompleteOnly: boolean) {
  const last = '9999-12-31'
  const before = (plan: BookPlan) => addDays(plan.dueDay, -1)
  const onDay = (plan: BookPlan) => plan.dueDay
  const ended = plans.filter(({ dueDay }) => !isCompleteOnly || dueDay < TODAY)
  const settled = (by: (plan: BookPlan) => string) =>
    plans.filter((plan) => settledBy(plan, by(plan))).length
  const paid = (by: (plan: BookPlan) => string) => add(plans, (plan) => paidBy(plan, by(plan)))
  const moved = (...kinds: string[]) =>
    add(
      plans.flatMap(({ entries }) => entries.filter(({ kind }) => kinds.includes(kind))),
      ({ amount }) => amount,
    )
  return {
    duePlans: plans.length,
    dueAmount: add(plans, ({ amount }) => amount),
    earlyPlans: settled(before),
    earlyAmount: paid(before),
    onTimePlans: settled(onDay) - settled(before),
    onTimeAmount: paid(onDay) - paid(before),
    latePlans: settled(() => last) - settled(onDay),
    lateAmount: paid(() => last) - paid(onDay),
    extendedPlans: plans.filter(({ status }) => status === 'rolledOver').length,
    reducedAmount: moved(
      'reduction',
      'reductionReversal',
      'coupon',
      'couponReversal',
      'coolingOffWaiver',
      'waiverReversal',
    ),
    writtenOffAmount: moved('writeOff', 'batchWriteOff'),
    openAmount: add(plans, ({ outstanding, openFine }) => outstanding - openFine),
    onTimeRate: rate(
      add(ended, (plan) => paidBy(plan, plan.dueDay)),
      add(ended, ({ amount }) => amount),
    ),
  }
}

export function countBucket(all: readonly BookPlan[], bucket: string) {
  const day = /^T(\d+)$/.exec(bucket)?.[1]
  const [from, to] = bucket === '30+' ? [31, 99_999] : [11, 30]
  const age = ({ dueDay }: BookPlan) =>
    Math.round((Date.parse(TODAY) - Date.parse(dueDay)) / 86_400_000)
  const plans = all.filter((plan) =>
    day === undefined ? age(plan) >= from && age(plan) <= to : age(plan) > Number(day),
  )
  const start = (plan: BookPlan) => addDays(plan.dueDay, day === undefined ? from - 1 : 0)
  const end = (plan: BookPlan) =>
    day === undefined ? '9999-12-31' : addDays(plan.dueDay, Number(day))
  const isLeft = (plan: BookPlan) =>
    day === undefined ? plan.outstanding > plan.openFine : !settledBy(plan, end(plan))
  const left = (plan: BookPlan) =>
    day === undefined ? plan.outstanding - plan.openFine : plan.amount - paidBy(plan, end(plan))
  const missed = plans.filter((plan) => !settledBy(plan, start(plan)))
  const missedAmount = add(plans, (plan) => plan.amount - paidBy(plan, start(plan)))
  const amount = add(plans, (plan) => plan.amount)
  return {
    cohortPlans: plans.length,
    overduePlans: plans.filter(isLeft).length,
    overdueAmount: add(plans, left),
    overdueCountRate: rate(plans.filter(isLeft).length, plans.length),
    overdueRate: rate(add(plans, left), amount),
    recoveryCountRate: rate(
      missed.filter((plan) => settledBy(plan, end(plan))).length,
      missed.length,
    ),
    recoveryRate: rate(
      add(plans, (plan) => paidBy(plan, end(plan)) - paidBy(plan, start(plan))),
      missedAmount,
    ),
  }
}

export function countChannel({ customers, orders }: Book, { isIn, on, isCompleteOnly }: Part) {
  const registered = customers.filter((one) => isIn(one) && on(one.registeredOn))
  const own = orders.filter(isIn)
  const reached = (statuses: number[]) =>
    own.flatMap((order) =>
      order.steps.filter(({ to, on: day }) => statuses.includes(to) && on(day)),
    ).length
  const paidOut = own.filter((order) =>
    order.steps.some(({ from, to, on: day }) => from === 29 && to === 30 && on(day)),
  )
  const firsts = own
    .filter(({ tags }) => tags.includes('firstLoan'))
    .flatMap(({ plans }) => plans.filter(({ serialNo, dueDay }) => serialNo === 1 && on(dueDay)))
    .filter(({ dueDay }) => !isCompleteOnly || addDays(dueDay, 7) < TODAY)
  const unpaid = firsts.filter(
    ({ status, settledOn, dueDay }) =>
      !(status === 'paid' && settledOn !== null && settledOn <= addDays(dueDay, 7)),
  )
  return {
    registrations: registered.length,
    certified: registered.filter(({ certified }) => certified).length,
    applications: own.filter(({ fromOrderId, createdOn }) => fromOrderId === null && on(createdOn))
      .length,
    approved: reached([20, 26]),
    approvalRate: rate(reached([20, 26]), reached([20, 26, 21, 23, 27])),
    disbursed: paidOut.length,
    disbursedAmount: paidOut.reduce((sum, { amount }) => sum + amount, 0),
    firstLoans: paidOut.filter(({ tags }: BookOrder) => tags.includes('firstLoan')).length,
    firstDefaultRate: rate(unpaid.length, firsts.length),
  }
}
