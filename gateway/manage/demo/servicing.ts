/**
 * A loan from disbursement on: plans, payments, fines, and how it ends. Events are sorted by time
 * and played while they are before the seed's now, so the book shows where each loan stands today.
 */
import { makePlans, plansOfEmi } from '#gateway/manage/features/repayments/make-plans.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import { type Life, MINUTE, openOf, type Plan, step, type World } from './life.ts'
import { DAY_JOB } from './doers.ts'
import { agreeOn } from './emi-terms.ts'
import type { Rng } from './random.ts'
import { accrueAll, daytime, dayRun, later, newPlan, post } from './loan-books.ts'
import { pay, submitPayment } from './loan-payments.ts'
import { rollOver, writeOff } from './loan-ends.ts'

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
