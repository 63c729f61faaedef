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
  type Standing,
  standingOf,
} from './emi-plan.ts'

export const EMI_TERMS = {
  rate: 2_400,
  dueDay: 5,
  grace: 3,
  finePerDay: 10,
  badDebtDays: 40,
  bounce: 20_000,
} as const

/** Place among everything that is reported, on its day. */
export type Moment = readonly [day: number, place: number]

export interface Payment {
  at: Moment
  amount: number
  /** Says that it is paid ahead, and with which effect. */
  isLower: boolean | null
  isReversed: boolean
  /** It came after the end of its loan, and is the borrower's. */
  isCredit: boolean
  surplus: number
}

export interface Agreed {
  amount: number
  instalments: number
  paidOut: number
}

export interface Row extends Instalment {
  kind: 'instalment' | 'prepayment' | 'rest'
  /** For returned debits. */
  service: number
  open: { principal: number; interest: number; service: number; fine: number }
  fined: number
  /** In the order of the payments. */
  paid: [payment: Payment, paise: number][]
  settledOn: number | null
}

export class EmiReplay {
  rows: Row[] = []
  isBad = false
  wasBad = false
  readonly surplus = new Map<Payment, number>()
  #standing: Standing | null
  #coming: Row[]

  constructor({ amount, instalments, paidOut }: Agreed) {
    const { rate, dueDay } = EMI_TERMS
    this.#standing = standingOf({ rate, dueDay, amount, left: instalments }, paidOut)
    this.#coming = planOf(this.#standing).map(rowOf)
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

  begin(day: number): void {
    const [first] = this.#coming
    if (first?.due === day && this.#standing !== null) {
      this.rows.push(first)
      this.#standing = next(this.#standing).standing
      this.#coming = this.#coming.slice(1)
    }
    for (const row of this.rows) {
      const late = day - row.due
      if (late <= EMI_TERMS.grace || row.open.principal === 0) continue
      const fine = Math.floor((row.open.principal * EMI_TERMS.finePerDay + 5_000) / 10_000)
      row.open.fine += fine
      row.fined += fine
    }
    const oldest = this.rows.find((row) => owes(row) > 0)
    if (oldest !== undefined && day - oldest.due >= EMI_TERMS.badDebtDays) {
      this.isBad = true
      this.wasBad = true
    }
  }

  /** Paise that end the loan on the day. */
  payoff(day: number): number {
    const due = this.rows.reduce((sum, row) => sum + owes(row), 0)
    if (this.#standing === null || !this.hasComing) return due
    const rest = restOf(this.#standing) + accrued(this.#standing, day) + serviceOf(this.#coming)
    const paid = this.#coming.flatMap((row) => row.paid).reduce((sum, [, paise]) => sum + paise, 0)
    return due + Math.max(0, rest - paid)
  }

  /** The rest is due on the day. */
  endOn(day: number): void {
    if (this.#standing === null || !this.hasComing) return
    const row = rowOf({
      due: day,
      principal: restOf(this.#standing),
      interest: accrued(this.#standing, day),
    })
    const [moved, service] = [piecesOf(this.#coming), serviceOf(this.#coming)]
    this.#standing = null
    this.#coming = []
    this.rows.push({ ...row, kind: 'rest' })
    charge(this.rows.at(-1), service)
    for (const [payment, paise] of moved) {
      const left = clear(this.rows.slice(-1), payment, paise)
      this.#give(payment, left)
    }
  }

  /** The bank returned a debit for the oldest instalment that is open. */
  bounce(): void {
    charge(
      this.all.find((row) => owes(row) > 0),
      EMI_TERMS.bounce,
    )
  }

  pay(payment: Payment): void {
    const [day] = payment.at
    if (this.hasComing && payment.amount >= this.payoff(day)) this.endOn(day)
    const [first] = this.#coming
    const reached = [
      ...this.rows.filter((row) => owes(row) > 0),
      ...(first === undefined || payment.isLower !== null ? [] : [first]),
    ]
    const left = clear(reached, payment, payment.amount, this.isBad)
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
    const standing = this.#standing as Standing
    const [moved, service] = [piecesOf(this.#coming), serviceOf(this.#coming)]
    const isLower = payment.isLower ?? false
    this.#standing = { ...standing, prepaid: [...standing.prepaid, { day, amount, isLower }] }
    this.#coming = planOf(this.#standing).map(rowOf)
    charge(this.#coming[0], service)
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
    paid: [],
    settledOn: null,
  }
}

export function owes({ open }: Pick<Row, 'open'>): number {
  return open.principal + open.interest + open.service + open.fine
}

function charge(row: Row | undefined, paise: number): void {
  if (row === undefined) return
  row.service += paise
  row.open.service += paise
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

export function compare(one: Moment, other: Moment): number {
  return one[0] - other[0] || one[1] - other[1]
}

/** @returns what is left of the money */
function clear(rows: readonly Row[], payment: Payment, money: number, isBad = false): number {
  let left = money
  const take = (row: Row, part: keyof Row['open']) => {
    const taken = Math.min(left, row.open[part])
    if (taken === 0) return
    row.open[part] -= taken
    row.paid.push([payment, taken])
    left -= taken
  }
  if (isBad) for (const row of rows) take(row, 'principal')
  for (const row of rows)
    for (const part of ['fine', 'interest', 'service', 'principal'] as const) take(row, part)
  for (const row of rows) if (owes(row) === 0) row.settledOn ??= payment.at[0]
  return left
}
