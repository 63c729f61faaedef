/**
 * A loan from disbursement on: plans, payments, fines, and how it ends. Events are sorted by time
 * and played while they lie before the seed's now, so the book shows where each loan stands today.
 * Postings are those of the product.
 */
import { makePlans, plansOfEmi } from '#gateway/manage/features/repayments/make-plans.ts'
import { share } from '#shared/kernel/money.ts'
import { addDays, daysBetween, istDay, istMidnight } from '#shared/kernel/time.ts'
import {
  HOUR,
  type Life,
  type Line,
  MINUTE,
  newLife,
  openOf,
  type Payment,
  type Plan,
  SECOND,
  step,
  type World,
} from './life.ts'
import { CHANNEL, CUSTOMER_APP, DAY_JOB } from './doers.ts'
import { agreeOn } from './emi-terms.ts'
import type { Rng } from './random.ts'

export interface Repaying {
  /** Days from the due day to the payment of each plan; negative = early, Infinity = never. */
  lateness: readonly number[]
  /** The first late plan is paid in two parts. */
  inParts?: boolean
  /**
   * How the loan ends, if not by payment. `afterDays` counts from the due day of the first plan
   * left open.
   */
  ending?:
    | { kind: 'reduction' | 'processing' }
    | { kind: 'rollover'; afterDays: number }
    | { kind: 'writeOff' | 'batchWriteOff'; afterDays: number }
}

export interface Due {
  at: number
  run: (at: number) => void
}

const DAY_RUN = 5 * MINUTE

/** Makes the plans and posts what the disbursement makes receivable. */
export function openLoan(life: Life, at: number): void {
  const { product, emi } = life
  if (emi !== null) agreeOn(life, istDay(at))
  const principal = BigInt(life.amount)
  const made =
    emi !== null
      ? plansOfEmi({ ...emi.emi, principal }, istDay(at))
      : makePlans(
          {
            principal,
            interest: BigInt(life.interest),
            periods: product.periods,
            daysPerPeriod: product.daysPerPeriod,
          },
          istDay(at),
        )
  const gst = emi?.emi.gst ?? 0
  life.disbursedAt = at
  life.plans = made.map((plan) =>
    newPlan(plan.serialNo, plan.dueAt, Number(plan.principal), Number(plan.interest)),
  )
  post(life, 'disbursement', at, [
    ...life.plans.map((plan) => ({ account: 'principalReceivable', plan, amount: plan.principal })),
    { account: 'payoutClearing', plan: null, amount: -(life.amount - life.serviceCharge) },
    { account: 'serviceChargeIncome', plan: null, amount: gst - life.serviceCharge },
    { account: 'gstPayable', plan: null, amount: -gst },
  ])
  post(life, 'interestDue', at, [
    ...life.plans.map((plan) => ({ account: 'interestReceivable', plan, amount: plan.interest })),
    { account: 'interestIncome', plan: null, amount: -life.interest },
  ])
}

/** Runs the loan up to now. @returns the order that follows a rollover */
export function service(life: Life, rng: Rng, world: World, how: Repaying): Life | null {
  let successor: Life | null = null
  const dues: Due[] = []
  let earliest = istDay(life.disbursedAt as number)
  for (const [k, plan] of life.plans.entries()) {
    dues.push({ at: dayRun(addDays(plan.dueAt, 1)), run: (at) => passDue(life, plan, at) })
    dues.push({ at: dayRun(addDays(plan.dueAt, 91)), run: (at) => turnBad(life, plan, at) })
    const late = how.lateness[k] ?? 0
    if (late === Infinity) {
      if (how.inParts)
        dues.push({
          at: daytime(addDays(plan.dueAt, -2), rng),
          run: (at) => pay(life, rng, plan, at, { fraction: 0.2 + 0.3 * rng.next() }),
        })
      continue
    }
    const day = later(addDays(plan.dueAt, late), addDays(earliest, 1))
    earliest = day
    if (how.inParts && late >= 4)
      dues.push({
        at: daytime(addDays(plan.dueAt, 2), rng),
        run: (at) => pay(life, rng, plan, at, { fraction: 0.3 + 0.3 * rng.next() }),
      })
    dues.push({
      at: daytime(day, rng),
      run: (at) =>
        pay(life, rng, plan, at, {
          reduced: how.ending?.kind === 'reduction' && k === life.plans.length - 1,
        }),
    })
  }
  const { ending } = how
  const open = life.plans.find((_, k) => how.lateness[k] === Infinity)
  if (open && ending?.kind === 'processing')
    dues.push({
      at: world.asOf - rng.int(6, 15) * MINUTE,
      run: (at) => submitPayment(life, open, at),
    })
  if (open && ending?.kind === 'rollover')
    dues.push({
      at: daytime(addDays(open.dueAt, ending.afterDays), rng),
      run: (at) => (successor = rollOver(life, rng, open, at)),
    })
  if (open && (ending?.kind === 'writeOff' || ending?.kind === 'batchWriteOff')) {
    const { kind, afterDays } = ending
    dues.push({
      at: daytime(addDays(open.dueAt, afterDays), rng),
      run: (at) => writeOff(life, world, kind, at),
    })
  }
  dues.sort((a, b) => a.at - b.at)
  for (const due of dues) if (due.at + 5 * MINUTE <= world.asOf) due.run(due.at)
  stand(life, world)
  return successor
}

export function passDue(life: Life, plan: Plan, at: number): void {
  if (life.status === 30 && openOf(plan) > 0) step(life, 50, 'duePassed', DAY_JOB, at)
}

function turnBad(life: Life, plan: Plan, at: number): void {
  if (life.status !== 50 || openOf(plan) === 0) return
  const lines = life.plans
    .filter((p) => p.openPrincipal > 0)
    .flatMap((p) => [
      { account: 'doubtfulPrincipal', plan: p, amount: p.openPrincipal },
      { account: 'principalReceivable', plan: p, amount: -p.openPrincipal },
    ])
  step(life, 90, 'becomeBad', DAY_JOB, at)
  if (lines.length > 0) post(life, 'badDebt', at, lines)
  life.isDoubtful = true
}

function submitPayment(life: Life, plan: Plan, at: number): void {
  if (life.status !== 30 && life.status !== 50 && life.status !== 90) return
  life.resumeStatus = life.status
  plan.status = 'processing'
  life.payments.push({
    plan,
    amount: openOf(plan),
    type: life.plans.every((other) => other === plan || openOf(other) === 0) ? 'full' : 'partial',
    at,
    doneAt: null,
    ahead: null,
  })
  step(life, 43, 'paySubmitted', CUSTOMER_APP, at)
}

function pay(
  life: Life,
  rng: Rng,
  plan: Plan,
  at: number,
  how: { fraction?: number; reduced?: boolean },
): void {
  if ((life.status !== 30 && life.status !== 50 && life.status !== 90) || openOf(plan) === 0) return
  const day = istDay(at)
  accrueAll(life, day)
  const resume = life.status
  life.resumeStatus = resume
  step(life, 43, 'paySubmitted', CUSTOMER_APP, at)
  const done = at + rng.int(20, 180) * SECOND
  let isReduced = false
  if (how.reduced && plan.openFine > 1) {
    // fine before everything else, principal never
    const reduction = Number(share(BigInt(plan.openFine), 6_000n))
    post(life, 'reduction', done, [
      { account: 'waiverExpense', plan, amount: reduction },
      { account: 'fineReceivable', plan, amount: -reduction },
    ])
    plan.openFine -= reduction
    plan.reduced += reduction
    plan.reductionAt = done
    isReduced = true
  }
  const hasCoupon = !isReduced && how.fraction === undefined && usesCoupon(life, plan, at)
  if (hasCoupon) {
    plan.openFine -= COUPON
    plan.reduced += COUPON
    plan.reductionAt = done
  }
  const whole = openOf(plan)
  const amount =
    how.fraction === undefined
      ? whole
      : Math.max(100, Math.floor((whole * how.fraction) / 100) * 100)
  const payment = takePayment(life, plan, amount, at, done)
  if (hasCoupon)
    post(
      life,
      'coupon',
      done,
      [
        { account: 'couponExpense', plan, amount: COUPON },
        { account: 'fineReceivable', plan, amount: -COUPON },
      ],
      { payment },
    )
  life.resumeStatus = null
  const open = life.plans.filter((p) => openOf(p) > 0)
  if (openOf(plan) === 0) settle(plan, done)
  if (open.length === 0)
    step(life, isReduced ? 41 : 40, isReduced ? 'payOkReduced' : 'payOkFull', CHANNEL, done)
  else
    step(
      life,
      resume === 90 ? 90 : open.some((p) => p.dueAt < day) ? 50 : 30,
      'payOkPartial',
      CHANNEL,
      done,
    )
}

/** Paise of the demo's coupon of overdue fines (coupons.ts). */
const COUPON = 2_000

/** One late payment in four, of the loan's oldest open instalment: steady, so no dice are thrown. */
function usesCoupon(life: Life, plan: Plan, at: number): boolean {
  const oldest = life.plans.find((one) => openOf(one) > 0)
  return plan === oldest && plan.openFine > COUPON && Math.floor(at / SECOND) % 4 === 0
}

/**
 * Fine, interest, principal, in this order (parameter repay.order); of a bad debt the principal
 * first.
 */
function takePayment(life: Life, plan: Plan, amount: number, at: number, done: number): Payment {
  const first = life.isDoubtful ? Math.min(amount, plan.openPrincipal) : 0
  const fine = Math.min(amount - first, plan.openFine)
  const interest = Math.min(amount - first - fine, plan.openInterest)
  const principal = amount - fine - interest
  const payment: Payment = {
    plan,
    amount,
    type: life.plans.reduce((sum, other) => sum + openOf(other), 0) === amount ? 'full' : 'partial',
    at,
    doneAt: done,
    ahead: null,
  }
  life.payments.push(payment)
  post(
    life,
    'repayment',
    done,
    [
      { account: 'cashClearing', plan, amount },
      { account: 'fineReceivable', plan, amount: -fine },
      { account: 'interestReceivable', plan, amount: -interest },
      { account: principalAccount(life), plan, amount: -principal },
    ],
    { payment },
  )
  plan.openFine -= fine
  plan.openInterest -= interest
  plan.openPrincipal -= principal
  plan.paid += amount
  return payment
}

function settle(plan: Plan, at: number): void {
  plan.settledAt = at
  plan.status = 'paid'
  plan.overdueDays = Math.max(0, daysBetween(plan.dueAt, istDay(at)))
}

function writeOff(life: Life, world: World, kind: 'writeOff' | 'batchWriteOff', at: number): void {
  const isBatch = kind === 'batchWriteOff'
  if (life.status !== 50 && life.status !== 90 && (isBatch || life.status !== 30)) return
  accrueAll(life, istDay(at))
  const open = life.plans.filter((plan) => openOf(plan) > 0)
  const total = open.reduce((sum, plan) => sum + openOf(plan), 0)
  const receivables = open.flatMap((plan) => [
    { account: 'fineReceivable', plan, amount: -plan.openFine },
    { account: 'interestReceivable', plan, amount: -plan.openInterest },
    { account: principalAccount(life), plan, amount: -plan.openPrincipal },
  ])
  const memo: Line[] = isBatch
    ? [
        { account: 'recoveryClaim', plan: null, amount: total },
        { account: 'recoveryContra', plan: null, amount: -total },
      ]
    : []
  post(life, kind, at, [
    { account: 'writeOffExpense', plan: null, amount: total },
    ...receivables,
    ...memo,
  ])
  for (const plan of open) clear(plan, 'writtenOff', at)
  life.closeAmountType = isBatch ? 'batch' : 'operational'
  const manager = world.managers[0] ?? DAY_JOB
  step(
    life,
    isBatch ? 110 : 100,
    isBatch ? 'batchWriteOff' : 'opsWriteOff',
    manager,
    at,
    isBatch ? 'Yearly batch' : 'Not recoverable, borrower untraceable',
  )
  if (!isBatch) life.blacklistedAt = at
}

/** Fee and fines are paid, principal and interest move to the following order. */
function rollOver(life: Life, rng: Rng, plan: Plan, at: number): Life | null {
  if ((life.status !== 30 && life.status !== 50) || life.plans.length !== 1) return null
  const day = istDay(at)
  accrueAll(life, day)
  life.resumeStatus = life.status
  step(life, 43, 'paySubmitted', CUSTOMER_APP, at)
  const done = at + rng.int(20, 180) * SECOND
  const { openPrincipal, openInterest, openFine } = plan
  const next = newLife(done, life.product, openPrincipal, ['extension'])
  next.serviceCharge = 0
  next.term = 1
  next.interest = openInterest
  next.follows = life
  next.disbursedAt = done
  next.plans = [
    newPlan(
      1,
      addDays(later(day, plan.dueAt), life.product.tenureDays),
      openPrincipal,
      openInterest,
    ),
  ]
  const nextPlan = next.plans[0] as Plan
  const fee = Number(share(BigInt(openPrincipal), 400n))
  const commission = Number(share(BigInt(fee), 1_500n))
  const payment: Payment = {
    plan,
    amount: fee + openFine,
    type: 'rollover',
    at,
    doneAt: done,
    ahead: null,
  }
  life.payments.push(payment)
  next.extension = { payment, fee, commission, serialNo: (life.extension?.serialNo ?? 0) + 1 }
  post(
    life,
    'rollover',
    done,
    [
      { account: 'cashClearing', plan: null, amount: fee + openFine },
      { account: 'extensionFeeIncome', plan: null, amount: -(fee - commission) },
      { account: 'commissionPayable', plan: null, amount: -commission },
      { account: 'fineReceivable', plan, amount: -openFine },
      { account: 'principalReceivable', plan: nextPlan, amount: openPrincipal, ofSuccessor: true },
      { account: 'interestReceivable', plan: nextPlan, amount: openInterest, ofSuccessor: true },
      { account: 'principalReceivable', plan, amount: -openPrincipal },
      { account: 'interestReceivable', plan, amount: -openInterest },
    ],
    { payment },
  )
  plan.paid += openFine
  plan.openFine = 0
  clear(plan, 'rolledOver', done)
  life.resumeStatus = null
  life.closeAmountType = 'rollover'
  step(life, 80, 'rolloverOk', CHANNEL, done)
  step(next, 30, 'extension', CHANNEL, done)
  return next
}

/** Settles a plan without money: what was open is waived, or stands on in the following order. */
function clear(plan: Plan, status: string, at: number): void {
  plan.waived += openOf(plan)
  plan.openFine = 0
  plan.openInterest = 0
  plan.openPrincipal = 0
  plan.status = status
  plan.settledAt = at
  plan.overdueDays = Math.max(0, daysBetween(plan.dueAt, istDay(at)))
}

/**
 * Fines of each IST day on the overdue principal, rounded per day, in one posting for the days
 * since the last (they never earn a fine themselves).
 */
function accrueAll(life: Life, day: string): void {
  for (const plan of life.plans) {
    const days = daysBetween(plan.accruedTo, day)
    if (days <= 0 || openOf(plan) === 0) continue
    const fine = Number(share(BigInt(plan.openPrincipal), BigInt(life.product.penaltyRate))) * days
    plan.accruedTo = day
    if (fine === 0) continue
    post(
      life,
      'overdueFine',
      dayRun(day),
      [
        { account: 'fineReceivable', plan, amount: fine },
        { account: 'fineIncome', plan, amount: -fine },
      ],
      { bizDate: day },
    )
    plan.openFine += fine
    plan.fine += fine
  }
}

/** The state of the plans today. */
function stand(life: Life, world: World): void {
  if (life.closedAt !== null) return
  accrueAll(life, world.today)
  for (const plan of life.plans) {
    if (plan.settledAt !== null) continue
    plan.overdueDays = Math.max(0, daysBetween(plan.dueAt, world.today))
    if (plan.status === 'processing') continue
    plan.status = plan.overdueDays > 0 ? 'overdue' : plan.paid > 0 ? 'partlyPaid' : 'unpaid'
  }
}

export function newPlan(
  serialNo: number,
  dueAt: string,
  principal: number,
  interest: number,
): Plan {
  return {
    serialNo,
    kind: 'instalment',
    prepaidWith: null,
    dueAt,
    principal,
    interest,
    fine: 0,
    reduced: 0,
    waived: 0,
    paid: 0,
    bounced: 0,
    openPrincipal: principal,
    openInterest: interest,
    openService: 0,
    openFine: 0,
    accruedTo: dueAt,
    status: 'unpaid',
    overdueDays: 0,
    reductionAt: null,
    settledAt: null,
  }
}
export function post(
  life: Life,
  kind: string,
  at: number,
  lines: Line[],
  more: { bizDate?: string; payment?: Payment } = {},
): void {
  life.postings.push({
    kind,
    at,
    bizDate: istDay(at),
    lines: lines.filter((line) => line.amount !== 0),
    ...more,
  })
}
function principalAccount(life: Life): string {
  return life.isDoubtful ? 'doubtfulPrincipal' : 'principalReceivable'
}
export function dayRun(day: string): number {
  return istMidnight(day).getTime() + DAY_RUN
}
export function daytime(day: string, rng: Rng): number {
  return istMidnight(day).getTime() + 9 * HOUR + rng.int(0, 12 * 3_600 - 1) * SECOND
}
function later(a: string, b: string): string {
  return a > b ? a : b
}
