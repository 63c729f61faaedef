/** Plans, postings and fines of a demo loan. Postings are those of the product. */
import { share } from '#shared/kernel/money.ts'
import { daysBetween, istDay, istMidnight } from '#shared/kernel/time.ts'
import {
  HOUR,
  type Life,
  type Line,
  MINUTE,
  openOf,
  type Payment,
  type Plan,
  SECOND,
} from './life.ts'
import type { Rng } from './random.ts'

const DAY_RUN = 5 * MINUTE

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

export function principalAccount(life: Life): string {
  return life.isDoubtful ? 'doubtfulPrincipal' : 'principalReceivable'
}

export function dayRun(day: string): number {
  return istMidnight(day).getTime() + DAY_RUN
}

export function daytime(day: string, rng: Rng): number {
  return istMidnight(day).getTime() + 9 * HOUR + rng.int(0, 12 * 3_600 - 1) * SECOND
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

/**
 * Fines of each IST day on the overdue principal, rounded per day, in one posting for the days
 * since the last (they never earn a fine themselves).
 */
export function accrueAll(life: Life, day: string): void {
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
