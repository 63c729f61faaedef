/** Payments of a demo loan: submitted, taken, reduced, with a coupon. */
import { share } from '#shared/kernel/money.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { type Life, openOf, type Payment, type Plan, SECOND, step } from './life.ts'
import { CHANNEL, CUSTOMER_APP } from './doers.ts'
import type { Rng } from './random.ts'
import { accrueAll, post, principalAccount } from './loan-books.ts'

export function submitPayment(life: Life, plan: Plan, at: number): void {
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

export function pay(
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
