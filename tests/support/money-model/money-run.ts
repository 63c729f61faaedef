/**
 * Random loan histories, executed on the model and on the product; they must never differ, and the
 * books must be the fold over their history after every step.
 * fast-check prints the seed and the history that differs.
 * The model: `loan/` is what a loan is, `rules/` what may be done with it. `steps/` turns random steps
 * into actions that fit, `site/` performs them on the product.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { type Action, BORROWERS, type Who } from './actions.ts'
import type { Grant, Order } from './loan/loan.ts'
import { newPortfolio, type Portfolio } from './loan/portfolio.ts'
import { MoneySite } from './site/money-site.ts'
import type { Stored } from './site/stored-orders.ts'
import { execute } from './rules/execute.ts'
import { actionOf } from './steps/action-of.ts'
import { type Kind, KINDS, type Step } from './steps/step.ts'
import { BEGINNINGS, beginningOf } from './beginnings.ts'

/** Days are opened for every loan, so a database gets this many histories before it is replaced. */
const LIVES_A_SITE = 250
/** All invariants of a book are checked after so many of its histories, and at the end. */
const LIVES_A_PROOF = 25
const WEIGHT: Partial<Record<Kind, number>> = {
  apply: 5,
  judge: 8,
  dispatch: 8,
  payout: 8,
  pay: 10,
  tell: 5,
  book: 5,
  confirm: 9,
  launch: 7,
  decide: 7,
  reverse: 8,
  decideRequest: 12,
  day: 9,
  writeOff: 2,
  cancel: 1,
  cancelDisbursement: 1,
  redisburse: 6,
  withdraw: 1,
  grant: 3,
  revokeCoupon: 1,
  batchWriteOff: 2,
  cure: 5,
  contradict: 4,
  contradictPayout: 2,
  keep: 3,
  resolve: 3,
  returnStray: 4,
}
const WHO = [
  'director',
  'manager2',
  'manager',
  'customer_service',
] as const satisfies readonly Who[]

class Act implements fc.AsyncCommand<Portfolio, MoneySite> {
  readonly #step: Step
  readonly #isThrice: boolean
  readonly #tally: Map<string, number>
  /** As executed. */
  #done: Action | null = null
  constructor(step: Step, isThrice: boolean, tally: Map<string, number>) {
    this.#step = step
    this.#isThrice = isThrice
    this.#tally = tally
  }
  check(portfolio: Readonly<Portfolio>): boolean {
    return actionOf(portfolio, this.#step) !== null
  }
  async run(portfolio: Portfolio, site: MoneySite): Promise<void> {
    const action = actionOf(portfolio, this.#step)
    if (action === null) return
    this.#done = action
    const expected = execute(portfolio, action)
    const outcome = `${nameOf(action)} ${expected}`
    this.#tally.set(outcome, (this.#tally.get(outcome) ?? 0) + 1)
    expect(await site.perform(action, this.#isThrice), this.toString()).toBe(expected)
    const stored = await site.stored()
    expect(stored, this.toString()).toEqual(
      portfolio.borrowers.map(({ order, grants }) =>
        order === null ? null : expectedOf(order, grants),
      ),
    )
    expect(await site.foldFaults(stored), this.toString()).toEqual([])
  }
  toString(): string {
    const { kind, ...rest } = this.#done ?? this.#step
    const given = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`)
    return [kind, ...given, ...(this.#isThrice ? ['three times'] : [])].join(' ')
  }
}

function nameOf(action: Action): string {
  const name =
    'type' in action
      ? `${action.kind} ${action.type}`
      : action.kind === 'contradict' || action.kind === 'contradictPayout'
        ? `${action.kind} ${action.result}`
        : action.kind
  if (action.kind === 'book' && action.day !== null) return `${name} back`
  return action.kind === 'book' && action.coupon !== null ? `${name} coupon` : name
}

function expectedOf(
  { status, overdueDays, plans, payments, transfers, settlements, reduction, requests }: Order,
  grants: readonly Grant[],
): Stored {
  const shown = plans.map(({ principal, interest, fine, paid, waived, reduced }) => ({
    principal,
    interest,
    fine,
    paid,
    waived,
    reduced,
  }))
  return {
    status,
    overdueDays,
    plans: shown,
    outstanding: shown.reduce((sum, plan) => sum + plan.principal + plan.interest + plan.fine, 0),
    payments: payments.map(({ state, surplus, isReversed, isContradicted }) => ({
      state,
      surplus,
      reversed: isReversed,
      contradicted: isContradicted,
    })),
    transfers: transfers.map(({ state, outcome, stray }) => ({ state, outcome, stray })),
    settlements: settlements.map(({ state }) => state),
    reduction: reduction?.state ?? null,
    requests: requests.map(({ state }) => state),
    coupons: grants.map(({ state, amount }) => ({ state, amount })),
  }
}

const step = fc.record<Step>({
  kind: fc.oneof(
    ...KINDS.map((kind) => ({ weight: WEIGHT[kind] ?? 3, arbitrary: fc.constant(kind) })),
  ),
  borrower: fc.oneof(fc.constant(0), fc.nat(BORROWERS - 1)),
  who: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Who>('director') },
    { weight: 4, arbitrary: fc.constant<Who>('manager2') },
    { weight: 3, arbitrary: fc.constantFrom<Who>(...WHO) },
  ),
  dice: fc.nat(999),
  days: fc.integer({ min: 1, max: 3 }),
  isUsual: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
})

/**
 * @param runs histories of at most `steps` steps each
 * @returns how often each step had which outcome, `pay M-UTR`
 */
export async function proveMoney(runs: number, steps: number): Promise<Map<string, number>> {
  const tally = new Map<string, number>()
  for (let left = runs; left > 0; left -= LIVES_A_SITE)
    await proveOnOneSite(Math.min(left, LIVES_A_SITE), steps, tally)
  return tally
}

async function proveOnOneSite(
  runs: number,
  steps: number,
  tally: Map<string, number>,
): Promise<void> {
  const site = await MoneySite.open()
  let lives = 0
  try {
    const act = fc
      .tuple(step, fc.nat(5))
      .map(([given, chance]) => new Act(given, chance === 0, tally))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(BEGINNINGS - 1),
        fc.commands([act], { maxCommands: steps, size: 'max' }),
        async (n, commands) => {
          await site.begin()
          const portfolio = newPortfolio(site.today, site.payments)
          for (const given of beginningOf(n))
            await new Act(given, false, tally).run(portfolio, site)
          await fc.asyncModelRun(() => ({ model: portfolio, real: site }), commands)
          await endAll(portfolio, site, tally)
          lives += 1
          if (lives % LIVES_A_PROOF === 0) expect(await brokenInvariants(site.database)).toEqual([])
        },
      ),
      // A history takes a second: shrinking it would take longer than finding it.
      { numRuns: runs, endOnFailure: true },
    )
    expect(await brokenInvariants(site.database)).toEqual([])
  } finally {
    await site.close()
  }
}

/** Whatever happened, a running loan can be repaid to the paisa; later histories do not find it. */
async function endAll(
  portfolio: Portfolio,
  site: MoneySite,
  tally: Map<string, number>,
): Promise<void> {
  const last = { who: 'manager', days: 1, isUsual: true } as const
  for (let borrower = 0; borrower < BORROWERS; borrower += 1) {
    const order = portfolio.borrowers[borrower]?.order
    if (!order) continue
    if ([10, 20, 22, 26].includes(order.status))
      await new Act({ ...last, kind: 'cancel', borrower, dice: 0 }, false, tally).run(
        portfolio,
        site,
      )
    if (![30, 43, 50, 90].includes(order.status)) continue
    await new Act({ ...last, kind: 'pay', borrower, dice: 600 }, false, tally).run(portfolio, site)
    expect([40, 41], `borrower ${borrower} pays all`).toContain(order.status)
  }
}
