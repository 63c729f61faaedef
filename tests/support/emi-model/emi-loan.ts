/** The rules about EMI loans, implemented a second time: what each report and each day changes. */
import {
  type Agreed,
  compare,
  EMI_TERMS,
  EmiReplay,
  type Moment,
  owes,
  type Payment,
  type Row,
} from './emi-replay.ts'

interface Given {
  paid: number
  waived: number
}

export class EmiLoan {
  readonly agreed: Agreed
  readonly payments: Payment[] = []
  status = 30
  overdueDays = 0
  /** Day at whose beginning the rest was called in. */
  #calledInOn: number | null = null
  /** Debits that were returned, and whose money has not come since. */
  readonly #bounces: Payment[] = []
  /** By a person: written off. */
  #endedOn: number | null = null
  #replay: EmiReplay
  #playedTo: number
  /** By the exit, for each instalment. */
  #exit: Given[] | null = null

  constructor(agreed: Agreed) {
    this.agreed = agreed
    this.#replay = this.#play(agreed.paidOut, this.payments)
    this.#playedTo = agreed.paidOut
  }

  get isRunning(): boolean {
    return [30, 50, 90].includes(this.status)
  }
  get owed(): number {
    return this.isRunning ? this.#replay.owed : 0
  }
  /** Rows of the plan that have anything in them. */
  get rows(): (Row & { given: Given })[] {
    return this.#replay.all.map((row, n) => {
      const paid = row.paid.reduce((sum, [, paise]) => sum + paise, 0)
      const exit = this.#exit?.[n]
      const open = { principal: 0, interest: 0, service: 0, fine: 0 }
      if (exit !== undefined) return { ...row, open, given: exit }
      if (this.#endedOn === null) return { ...row, given: { paid, waived: 0 } }
      return { ...row, open, given: { paid, waived: owes(row) } }
    })
  }

  /** What settles the loan with money of that moment. */
  dueAt(at: Moment): number {
    const before = this.payments.filter((one) => compare(one.at, at) <= 0)
    return this.#play(at[0], before).payoff(at[0])
  }

  bounce(payment: Payment, today: number): void {
    if (!this.isRunning) return
    this.#bounces.push(payment)
    this.#refresh(today)
    this.overdueDays = this.#late(today)
  }

  receive(payment: Payment, today: number): void {
    this.payments.push(payment)
    if (this.isRunning || this.status === 40) {
      const bounced = this.#bounces.indexOf(payment)
      if (bounced !== -1) this.#bounces.splice(bounced, 1)
    }
    if (this.isRunning) return this.#count(today)
    if (this.status === 40 && this.#exit === null) {
      const after = this.#play(today, this.payments)
      if (after.owed === 0) return this.#count(today)
    }
    payment.isCredit = true
    payment.surplus = payment.amount
  }

  takeBack(payment: Payment, today: number): void {
    payment.isReversed = true
    if (payment.isCredit) return
    if (this.#endedOn !== null) {
      this.#refresh(this.#endedOn)
      return
    }
    this.#refresh(today)
    if (this.#replay.owed === 0) return
    this.overdueDays = this.#late(today)
    if (this.status === 40) this.status = this.overdueDays > 0 ? 50 : 30
    else if (this.status === 30 && this.overdueDays > 0) this.status = 50
  }

  openDay(today: number): void {
    if (!this.isRunning) return
    // nothing was reported since the day before: the clerk goes on where they stopped
    if (this.#playedTo === today - 1) this.#begin(this.#replay, today)
    else this.#refresh(today)
    this.#playedTo = today
    this.overdueDays = this.#late(today)
    if (this.status === 30 && this.overdueDays > 0) this.status = 50
    if (this.status !== 50 || this.overdueDays < EMI_TERMS.badDebtDays) return
    this.status = 90
    if (!this.#replay.hasComing) return
    this.#calledInOn = today
    this.#refresh(today)
  }

  writeOff(today: number): void {
    this.#refresh(today)
    this.#endedOn = today
    this.status = 100
  }

  /** The principal, and of the interest the share of the days used. */
  exit(today: number): number {
    const { paidOut } = this.agreed
    const rows = this.#replay.all
    const days = BigInt((rows.at(-1) as Row).due - paidOut)
    const used = BigInt(today - paidOut)
    this.#exit = rows.map(({ principal, interest, service }) => {
      const share = Number((BigInt(interest) * used * 2n + days) / (2n * days))
      return { paid: principal + share + service, waived: interest - share }
    })
    this.status = 40
    this.overdueDays = 0
    return this.#exit.reduce((sum, { paid }) => sum + paid, 0)
  }

  #count(today: number): void {
    this.#refresh(today)
    if (this.#replay.owed === 0) {
      this.status = 40
      const days = this.#replay.all.map(({ due, settledOn }) => (settledOn ?? due) - due)
      this.overdueDays = Math.max(0, ...days)
      return
    }
    this.overdueDays = this.#late(today)
    this.status = this.status === 90 && this.#replay.isBad ? 90 : this.overdueDays > 0 ? 50 : 30
  }

  #late(today: number): number {
    const oldest = this.#replay.all.find((row) => owes(row) > 0)
    return oldest === undefined ? 0 : Math.max(0, today - oldest.due)
  }

  #refresh(day: number): void {
    this.#playedTo = day
    this.#replay = this.#play(day, this.payments)
    // with what is known now it never was a bad debt
    if (this.#calledInOn !== null && this.#calledInOn <= day && !this.#replay.wasBad) {
      this.#calledInOn = null
      this.#replay = this.#play(day, this.payments)
    }
    for (const [payment, paise] of this.#replay.surplus) payment.surplus = paise
  }

  #begin(replay: EmiReplay, day: number): void {
    replay.begin(day)
    if (day === this.#calledInOn) replay.endOn(day)
  }

  #play(until: number, payments: readonly Payment[]): EmiReplay {
    const replay = new EmiReplay(this.agreed)
    const counted = payments
      .filter(({ isReversed, isCredit }) => !isReversed && !isCredit)
      .toSorted((one, other) => compare(one.at, other.at))
    const told = [...counted, ...this.#bounces].toSorted((one, other) => compare(one.at, other.at))
    for (let day = this.agreed.paidOut; day <= until; day += 1) {
      this.#begin(replay, day)
      for (const one of told)
        if (one.at[0] !== day) continue
        else if (counted.includes(one)) replay.pay(one)
        else replay.bounce()
    }
    return replay
  }
}
