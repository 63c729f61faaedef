/**
 * An EMI loan played from its first day, as a clerk with all papers in the order of their values
 * would do it. It shares nothing with the product.
 */
import {
  accrued,
  type Instalment,
  next,
  planOf,
  restOf,
  type LoanState,
  stateOf,
} from './emi-plan.ts'
import { discount, spread, sumOf } from './emi-agreements.ts'
import {
  type Agreed,
  compare,
  type Fees,
  type Grant,
  owes,
  type Payment,
  type Reduction,
  type Row,
} from './emi-papers.ts'

/** A few days after today, so that the first instalment is due five weeks after any day it runs on. */
const DUE_DAY = new Date(Date.now() + 4 * 86_400_000).getUTCDate()

export const EMI_TERMS = {
  rate: 2_400,
  dueDay: DUE_DAY > 28 ? 1 : DUE_DAY,
  grace: 3,
  finePerDay: 10,
  badDebtDays: 40,
  bounce: 20_000,
} as const

export class EmiReplay {
  rows: Row[] = []
  isBad = false
  wasBad = false
  readonly surplus = new Map<Payment, number>()
  /** What coupons came to. */
  readonly couponed = new Map<Grant, number>()
  /** The reduction the loan was repaid with. */
  used: Reduction | null = null
  #isCured = false
  #state: LoanState | null
  #coming: Row[]

  constructor({ amount, instalments, paidOut }: Agreed) {
    const { rate, dueDay } = EMI_TERMS
    this.#state = stateOf({ rate, dueDay, amount, left: instalments }, paidOut)
    this.#coming = planOf(this.#state).map(rowOf)
  }

  /** What is due and what is to come, the oldest first. */
  get all(): Row[] {
    return [...this.rows, ...this.#coming]
  }
  get owed(): number {
    return this.all.reduce((sum, row) => sum + owes(row), 0)
  }
  get hasComing(): boolean {
    return this.#coming.length > 0
  }

  begin(day: number, isStill: boolean): void {
    const [first] = this.#coming
    if (first?.due === day && this.#state !== null) {
      this.rows.push(first)
      this.#state = next(this.#state).state
      this.#coming = this.#coming.slice(1)
    }
    for (const row of this.rows) {
      const late = day - row.due
      if (late <= EMI_TERMS.grace || row.open.principal === 0) continue
      const fine = Math.floor((row.open.principal * EMI_TERMS.finePerDay + 5_000) / 10_000)
      if (isStill) row.held += fine
      else charge(row, 'fine', fine)
    }
    this.#judge(day)
  }

  /** An agreement failed: its days cost their fines. */
  release(): void {
    for (const row of this.rows) {
      if (owes(row) > 0) charge(row, 'fine', row.held)
      row.held = 0
    }
  }

  cure(): void {
    this.isBad = false
    this.#isCured = true
  }

  endCure(day: number): void {
    this.release()
    this.#isCured = false
    this.#judge(day)
  }

  #judge(day: number): void {
    const oldest = this.rows.find((row) => owes(row) > 0)
    if (this.#isCured || oldest === undefined) return
    if (day - oldest.due < EMI_TERMS.badDebtDays) return
    this.isBad = true
    this.wasBad = true
  }

  /** What is open when the rest is due on the day, the oldest first. */
  dueRows(day: number): Row[] {
    const due = this.rows.filter((row) => owes(row) > 0)
    if (this.#state === null || !this.hasComing) return due
    const rest = rowOf({
      due: day,
      principal: restOf(this.#state),
      interest: accrued(this.#state, day),
    })
    charge(rest, 'service', serviceOf(this.#coming))
    for (const [payment, paise] of piecesOf(this.#coming)) clear([rest], payment, paise)
    return [...due, rest]
  }

  /** Paise that end the loan on the day, with what is agreed about the money. */
  payoff(day: number, given: (rows: readonly Row[]) => readonly Fees[] = () => []): number {
    const rows = this.dueRows(day)
    return rows.reduce((sum, row) => sum + owes(row), 0) - sumOf(given(rows))
  }

  /** The rest is due on the day. */
  endOn(day: number): void {
    if (this.#state === null || !this.hasComing) return
    const row = rowOf({
      due: day,
      principal: restOf(this.#state),
      interest: accrued(this.#state, day),
    })
    const [moved, service] = [piecesOf(this.#coming), serviceOf(this.#coming)]
    this.#state = null
    this.#coming = []
    this.rows.push({ ...row, kind: 'rest' })
    charge(this.rows.at(-1), 'service', service)
    for (const [payment, paise] of moved) {
      const left = clear(this.rows.slice(-1), payment, paise)
      this.#give(payment, left)
    }
  }

  /** The bank returned a debit for the oldest instalment that is open. */
  bounce(): void {
    charge(
      this.all.find((row) => owes(row) > 0),
      'service',
      EMI_TERMS.bounce,
    )
  }

  /** @param reduction that the money may use */
  pay(payment: Payment, reduction: Reduction | undefined): void {
    const { at, amount, coupon, isLower } = payment
    const [day] = at
    const given = (rows: readonly Row[]): readonly Fees[] =>
      coupon !== null
        ? spread(discount(coupon, rows, amount), rows)
        : spread(reduction?.items ?? { fine: 0, service: 0, interest: 0 }, rows)
    if (this.hasComing && amount >= this.payoff(day, given)) this.endOn(day)
    const due = this.rows.filter((row) => owes(row) > 0)
    const fees = given(due)
    if (coupon !== null) {
      giveUp(due, fees)
      this.couponed.set(coupon, sumOf(fees))
    }
    const aside = coupon === null ? fees : []
    const [first] = this.#coming
    const reached = [...due, ...(first === undefined || isLower !== null ? [] : [first])]
    const left = clear(reached, payment, amount, { isBad: this.isBad, aside })
    if (reduction !== undefined && this.owed > 0 && this.owed === sumOf(aside)) {
      giveUp(due, aside)
      this.used = reduction
    }
    settle(reached, payment)
    if (left > 0 && this.hasComing) this.#payAhead(payment, left)
    else this.#give(payment, left)
  }

  #payAhead(payment: Payment, left: number): void {
    const planned = this.#coming.reduce((sum, row) => sum + row.principal, 0)
    const amount = Math.max(0, Math.min(left, planned - 100 * this.#coming.length))
    if (amount > 0) this.#prepay(payment, amount)
    this.#give(payment, clear(this.#coming, payment, left - amount))
  }

  #prepay(payment: Payment, amount: number): void {
    const [day] = payment.at
    const state = this.#state as LoanState
    const [moved, service] = [piecesOf(this.#coming), serviceOf(this.#coming)]
    const isLower = payment.isLower ?? false
    this.#state = { ...state, prepaid: [...state.prepaid, { day, amount, isLower }] }
    this.#coming = planOf(this.#state).map(rowOf)
    charge(this.#coming[0], 'service', service)
    const row: Row = {
      ...rowOf({ due: day, principal: amount, interest: 0 }),
      kind: 'prepayment',
      open: { principal: 0, interest: 0, service: 0, fine: 0 },
      paid: [[payment, amount]],
      settledOn: day,
    }
    this.rows.push(row)
    for (const [other, paise] of moved) this.#give(other, clear(this.#coming, other, paise))
  }

  #give(payment: Payment, paise: number): void {
    this.surplus.set(payment, (this.surplus.get(payment) ?? 0) + paise)
  }
}

function rowOf({ due, principal, interest }: Instalment): Row {
  return {
    kind: 'instalment',
    due,
    principal,
    interest,
    service: 0,
    open: { principal, interest, service: 0, fine: 0 },
    fined: 0,
    held: 0,
    reduced: 0,
    paid: [],
    settledOn: null,
  }
}

function charge(row: Row | undefined, part: 'fine' | 'service', paise: number): void {
  if (row === undefined) return
  row[part === 'fine' ? 'fined' : 'service'] += paise
  row.open[part] += paise
}

function giveUp(rows: readonly Row[], fees: readonly Fees[]): void {
  for (const [n, row] of rows.entries())
    for (const part of ['fine', 'service', 'interest'] as const) {
      const paise = fees[n]?.[part] ?? 0
      row.open[part] -= paise
      row.reduced += paise
    }
}

/** Fines that stood still are never charged on what is paid. */
function settle(rows: readonly Row[], payment: Payment): void {
  for (const row of rows) {
    if (owes(row) > 0) continue
    row.settledOn ??= payment.at[0]
    row.held = 0
  }
}

function serviceOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { service }) => sum + service, 0)
}

/** What was paid of rows, by payment, the oldest first. */
function piecesOf(rows: readonly Row[]): [Payment, number][] {
  const sums = new Map<Payment, number>()
  for (const [payment, paise] of rows.flatMap((row) => row.paid))
    sums.set(payment, (sums.get(payment) ?? 0) + paise)
  return [...sums].toSorted(([one], [other]) => compare(one.at, other.at))
}

/**
 * @param aside what is not to be paid, of the first rows
 * @returns what is left of the money
 */
function clear(
  rows: readonly Row[],
  payment: Payment,
  money: number,
  { isBad, aside }: { isBad: boolean; aside: readonly Fees[] } = { isBad: false, aside: [] },
): number {
  let left = money
  const take = (n: number, part: keyof Row['open']) => {
    const row = rows[n] as Row
    const kept = part === 'principal' ? 0 : (aside[n]?.[part] ?? 0)
    const taken = Math.min(left, row.open[part] - kept)
    if (taken === 0) return
    row.open[part] -= taken
    row.paid.push([payment, taken])
    left -= taken
  }
  if (isBad) for (const n of rows.keys()) take(n, 'principal')
  for (const n of rows.keys())
    for (const part of ['fine', 'interest', 'service', 'principal'] as const) take(n, part)
  settle(rows, payment)
  return left
}
