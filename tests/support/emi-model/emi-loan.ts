/** The rules about EMI loans, implemented a second time: what each report and each day changes. */
import {
  discount,
  endsEarly,
  isStill,
  lateParts,
  spread,
  sumOf,
  totalOf,
  usableBy,
  validUntil,
} from './emi-agreements.ts'
import {
  type Agreed,
  compare,
  COUPONS,
  type Fees,
  type Grant,
  type Moment,
  owes,
  type Payment,
  type Reduction,
  type Row,
  type Settlement,
} from './emi-papers.ts'
import { EMI_TERMS, EmiReplay } from './emi-replay.ts'

interface Given {
  paid: number
  waived: number
}

export class EmiLoan {
  readonly agreed: Agreed
  readonly payments: Payment[] = []
  readonly reductions: Reduction[] = []
  readonly settlements: Settlement[] = []
  readonly grants: Grant[] = []
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
  get isRepaid(): boolean {
    return this.status === 40 || this.status === 41
  }
  get owed(): number {
    return this.isRunning ? this.#replay.owed : 0
  }
  get openReduction(): Reduction | null {
    return this.reductions.find(({ state }) => state === 'approved') ?? null
  }
  get settlement(): Settlement | null {
    return this.settlements.find(({ state }) => state === 'current') ?? null
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

  /** What settles the loan with money of that moment, told now. */
  dueAt(at: Moment, now: Moment, coupon: Grant | null = null): number {
    const reduction = coupon === null ? usableBy(at, now, this.reductions) : undefined
    return this.#playTo(at).payoff(at[0], (rows) =>
      coupon === null
        ? spread(reduction?.items ?? { fine: 0, service: 0, interest: 0 }, rows)
        : spread(discount(coupon, rows, Number.MAX_SAFE_INTEGER), rows),
    )
  }

  /** Fees that are open on the day, and all that is owed with them. */
  feesOn(day: number): { fees: Fees; due: number } {
    const rows = this.#replay.dueRows(day)
    const sum = (part: keyof Fees) => rows.reduce((paise, row) => paise + row.open[part], 0)
    const fees = { fine: sum('fine'), service: sum('service'), interest: sum('interest') }
    return { fees, due: totalOf(rows) }
  }

  bounce(payment: Payment, today: number): void {
    if (!this.isRunning) return
    this.#bounces.push(payment)
    this.#refresh(today)
    this.overdueDays = this.#late(today)
  }

  receive(payment: Payment, now: Moment): void {
    const [today] = now
    payment.receivedAt = now
    this.payments.push(payment)
    if (this.isRunning || this.isRepaid) {
      const bounced = this.#bounces.indexOf(payment)
      if (bounced !== -1) this.#bounces.splice(bounced, 1)
    }
    if (this.isRunning) return this.#count(now)
    if (this.isRepaid && this.#exit === null) {
      const after = this.#play(today, this.payments)
      if (after.owed === 0 && after.used === this.#used) {
        this.#refresh(today)
        this.overdueDays = this.#latestDays()
        return
      }
    }
    payment.isCredit = true
    payment.surplus = payment.amount
    this.#giveBack(payment, today)
  }

  /** A loan that was repaid with a reduction goes back into arrears only. */
  mayTakeBack(payment: Payment, today: number): boolean {
    if (payment.isCredit || this.status !== 41) return true
    const open = this.#without(payment, today).replay.all.filter((row) => owes(row) > 0)
    return open.length === 0 || open.some(({ due }) => due < today)
  }

  takeBack(payment: Payment, today: number): void {
    const isVoid = !payment.isCredit && this.#without(payment, today).isVoid
    if (isVoid && this.#used !== null) this.#used.isVoid = true
    payment.isReversed = true
    if (!payment.isCredit) this.#refresh(this.#endedOn ?? today)
    this.#giveBack(payment, today)
    if (payment.isCredit || this.#endedOn !== null || this.#replay.owed === 0) return
    this.overdueDays = this.#late(today)
    const isLate = this.#oldestLate(today) > 0
    if (this.isRepaid) this.status = isLate ? 50 : 30
    else if (this.status === 30 && isLate) this.status = 50
    else if (this.status === 90 && !this.#replay.isBad) this.status = isLate ? 50 : 30
  }

  reduce(items: Fees, last: number, now: Moment): void {
    this.reductions.push({
      state: 'approved',
      items,
      approvedAt: now,
      validUntil: last,
      endedAt: null,
      hasExpired: false,
      isVoid: false,
    })
  }

  revoke(now: Moment): void {
    Object.assign(this.openReduction ?? {}, { state: 'lapsed', endedAt: now })
    this.#refresh(now[0])
  }

  cure(rows: Settlement['rows'], now: Moment): void {
    this.settlements.push({ state: 'current', rows, startedAt: now, endedAt: null })
    this.#refresh(now[0])
    Object.assign(this, { status: 50, overdueDays: 0 })
  }

  grant(n: number, today: number): Grant {
    const coupon = COUPONS[n % COUPONS.length] as (typeof COUPONS)[number]
    const grant: Grant = { coupon, state: 'unused', grantedOn: today, amount: 0 }
    this.grants.push(grant)
    return grant
  }

  /** Whether money of that moment may use it. */
  fits(grant: Grant, { at, amount }: Pick<Payment, 'at' | 'amount'>): boolean {
    if (grant.state !== 'unused' || this.openReduction !== null) return false
    if (at[0] < grant.grantedOn || at[0] > validUntil(grant)) return false
    const rows = this.#playTo(at).dueRows(at[0])
    return sumOf([discount(grant, rows, amount)]) > 0
  }

  openDay(today: number): void {
    if (!this.isRunning) return
    const { settlement } = this
    if (settlement !== null && lateParts(settlement, this.#replay.owed, today) > 0)
      Object.assign(settlement, { state: 'broken', endedAt: [today, 0] })
    // nothing was reported since the day before: the clerk goes on where they stopped
    if (this.#playedTo === today - 1 && settlement?.state !== 'broken')
      this.#begin(this.#replay, today)
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

  /** What lapses in the night. */
  expire(now: Moment): void {
    const [today] = now
    const reduction = this.openReduction
    if (reduction !== null && today > reduction.validUntil)
      Object.assign(reduction, { state: 'lapsed', endedAt: now, hasExpired: true })
    for (const grant of this.grants)
      if (grant.state === 'unused' && today > validUntil(grant)) grant.state = 'expired'
  }

  writeOff(now: Moment): void {
    const [today] = now
    this.#refresh(today)
    this.#endedOn = today
    this.status = 100
    Object.assign(this.settlement ?? {}, { state: 'ended', endedAt: now })
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

  get #used(): Reduction | null {
    return this.reductions.find(({ state, isVoid }) => state === 'used' && !isVoid) ?? null
  }

  #count(now: Moment): void {
    const [today] = now
    this.#refresh(today)
    const { used } = this.#replay
    if (this.#replay.owed === 0) {
      this.status = used === null ? 40 : 41
      this.overdueDays = this.#latestDays()
      if (used !== null) Object.assign(used, { state: 'used', hasExpired: false })
      Object.assign(this.openReduction ?? {}, { state: 'lapsed', endedAt: now })
      Object.assign(this.settlement ?? {}, { state: 'kept', endedAt: now })
      return
    }
    const isBad = this.status === 90 && this.#replay.isBad
    this.status = isBad ? 90 : this.#oldestLate(today) > 0 ? 50 : 30
    this.overdueDays = this.#late(today)
    if (this.status === 30) Object.assign(this.settlement ?? {}, { state: 'kept', endedAt: now })
  }

  #latestDays(): number {
    const days = this.#replay.all.map(({ due, settledOn }) => (settledOn ?? due) - due)
    return Math.max(0, ...days)
  }

  #oldestLate(today: number): number {
    const oldest = this.#replay.all.find((row) => owes(row) > 0)
    return oldest === undefined ? 0 : Math.max(0, today - oldest.due)
  }

  #late(today: number): number {
    const late = this.#oldestLate(today)
    return this.settlement === null
      ? late
      : Math.min(late, lateParts(this.settlement, this.#replay.owed, today))
  }

  #giveBack(payment: Payment, today: number): void {
    const { coupon: grant } = payment
    if (grant === null) return
    payment.coupon = null
    Object.assign(grant, { state: today > validUntil(grant) ? 'expired' : 'unused', amount: 0 })
  }

  /** As it would be without the payment; a reduction that does not settle it then is void. */
  #without(payment: Payment, today: number): { replay: EmiReplay; isVoid: boolean } {
    const used = this.#used
    const others = this.payments.filter((one) => one !== payment)
    const replay = this.#play(today, others)
    if (used === null || replay.used === used) return { replay, isVoid: false }
    used.isVoid = true
    const without = this.#play(today, others)
    used.isVoid = false
    return { replay: without, isVoid: true }
  }

  #playTo(at: Moment): EmiReplay {
    const before = this.payments.filter((one) => compare(one.at, at) <= 0)
    return this.#play(at[0], before)
  }

  #refresh(day: number): void {
    this.#playedTo = day
    this.#replay = this.#play(day, this.payments)
    // with what is known now it never was a bad debt: not by what the call-in made due
    const calledInOn = this.#calledInOn
    if (calledInOn !== null && calledInOn <= day) {
      this.#calledInOn = null
      const never = this.#play(day, this.payments)
      if (never.wasBad) this.#calledInOn = calledInOn
      else this.#replay = never
    }
    for (const [payment, paise] of this.#replay.surplus) payment.surplus = paise
    for (const [grant, paise] of this.#replay.couponed) grant.amount = paise
  }

  #begin(replay: EmiReplay, day: number): void {
    const counted = this.reductions.filter(({ isVoid }) => !isVoid)
    replay.begin(day, isStill(day, counted, this.settlements))
    if (day === this.#calledInOn) replay.endOn(day)
    if (counted.some((one) => !endsEarly(one) && one.validUntil + 1 === day)) replay.release()
  }

  #play(until: number, payments: readonly Payment[]): EmiReplay {
    const replay = new EmiReplay(this.agreed)
    const happenings = this.#happenings(payments)
    for (let day = this.agreed.paidOut; day <= until; day += 1) {
      this.#begin(replay, day)
      for (const { at, happens } of happenings) if (at[0] === day) happens(replay)
    }
    return replay
  }

  /** All that was reported, in the order of its values. */
  #happenings(payments: readonly Payment[]): { at: Moment; happens(replay: EmiReplay): void }[] {
    const counted = this.reductions.filter(({ isVoid }) => !isVoid)
    const paid = payments
      .filter(({ isReversed, isCredit }) => !isReversed && !isCredit)
      .map((payment) => ({
        at: payment.at,
        happens: (replay: EmiReplay) =>
          replay.pay(
            payment,
            payment.coupon === null ? usableBy(payment.at, payment.receivedAt, counted) : undefined,
          ),
      }))
    const bounced = this.#bounces.map(({ at }) => ({
      at,
      happens: (replay: EmiReplay) => replay.bounce(),
    }))
    const revoked = counted.flatMap((one) =>
      endsEarly(one) && one.endedAt !== null
        ? [{ at: one.endedAt, happens: (replay: EmiReplay) => replay.release() }]
        : [],
    )
    const cured = this.settlements.flatMap(({ startedAt, endedAt, state }) => [
      { at: startedAt, happens: (replay: EmiReplay) => replay.cure() },
      ...(endedAt === null || state === 'ended'
        ? []
        : [{ at: endedAt, happens: (replay: EmiReplay) => replay.endCure(endedAt[0]) }]),
    ])
    return [...paid, ...bounced, ...revoked, ...cured].toSorted((one, other) =>
      compare(one.at, other.at),
    )
  }
}
