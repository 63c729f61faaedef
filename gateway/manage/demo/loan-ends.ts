/** How a demo loan ends without its borrower repaying it: written off, or extended. */
import { share } from '#shared/kernel/money.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import {
  type Life,
  type Line,
  newLife,
  openOf,
  type Payment,
  type Plan,
  SECOND,
  step,
  type World,
} from './life.ts'
import { CHANNEL, CUSTOMER_APP, DAY_JOB } from './doers.ts'
import type { Rng } from './random.ts'
import { accrueAll, later, newPlan, post, principalAccount } from './loan-books.ts'

export function writeOff(
  life: Life,
  world: World,
  kind: 'writeOff' | 'batchWriteOff',
  at: number,
): void {
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
export function rollOver(life: Life, rng: Rng, plan: Plan, at: number): Life | null {
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

/** Settles a plan without money: what was open is waived, or carried into the following order. */
function clear(plan: Plan, status: string, at: number): void {
  plan.waived += openOf(plan)
  plan.openFine = 0
  plan.openInterest = 0
  plan.openPrincipal = 0
  plan.status = status
  plan.settledAt = at
  plan.overdueDays = Math.max(0, daysBetween(plan.dueAt, istDay(at)))
}
