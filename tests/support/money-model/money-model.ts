/**
 * What the rules say about money (domain.md 1, 2.4-2.6, 3; api.md 25), written down a second time and independently of the product:
 * two borrowers with one order at a time, days as plain numbers, and for each thing somebody does its outcome - `ok` or the id of the
 * refusal - and what is owed after it, in paise and by part.
 */
export const BORROWERS = 2
export const TERMS = { periods: 2, daysPerPeriod: 3, serviceRate: 1_000, dailyRate: 7, fineRate: 10, coolingOffDays: 1, badDebtDays: 5, maxAttempts: 3, checkAbove: 5_000_000 } as const
const WRITE_OFF_CAP: Partial<Record<Who, number>> = { manager: 2_500_000, director: 20_000_000 }

/** `manager` asks, the others decide, or are refused. */
export type Who = 'manager' | 'manager2' | 'director' | 'customer_service'

export type Action =
  | { kind: 'apply'; borrower: number; amount: number }
  | { kind: 'judge'; borrower: number; result: 'passed' | 'undecided' | 'failed' | 'limitFailed' }
  | { kind: 'review'; borrower: number; result: 'passed' | 'failed' }
  | { kind: 'dispatch' }
  | { kind: 'payout'; borrower: number; result: 'success' | 'fail'; attempt: number }
  | { kind: 'cancel' | 'redisburse' | 'cancelDisbursement' | 'batchWriteOff'; borrower: number }
  /** The channel tells a payment; `day` null = now. */
  | { kind: 'pay'; borrower: number; payment: number; amount: number; day: number | null; result: 'success' | 'processing' | 'fail'; utrOf: number | null }
  /** A person books one. */
  | { kind: 'book'; borrower: number; payment: number; who: Who; type: 'full' | 'partial' | 'coolingOff'; amount: number; utrOf: number | null }
  | { kind: 'confirm'; borrower: number; payment: number; who: Who; result: 'success' | 'fail' }
  | { kind: 'launch'; borrower: number; fine: number; interest: number; days: number }
  | { kind: 'decide'; borrower: number; who: Who; result: 'approved' | 'rejected' }
  | { kind: 'revoke' | 'withdraw'; borrower: number; who: Who }
  | { kind: 'writeOff'; borrower: number; who: Who; amount: number }
  | { kind: 'reverse'; borrower: number; payment: number }
  | { kind: 'decideRequest'; borrower: number; request: number; who: Who; result: 'approved' | 'rejected' }
  | { kind: 'day'; days: number }

export const KINDS = [
  'apply', 'judge', 'review', 'dispatch', 'payout', 'cancel', 'redisburse', 'cancelDisbursement', 'batchWriteOff', 'pay', 'tell', 'book', 'confirm', 'launch', 'decide', 'revoke', 'withdraw', 'writeOff', 'reverse', 'decideRequest', 'day',
] as const
export type Kind = (typeof KINDS)[number]

/** What waits for somebody, and then what keeps a loan going. */
const NEXT: readonly Kind[] = ['confirm', 'tell', 'decideRequest', 'decide', 'payout', 'review', 'judge', 'dispatch', 'launch', 'book', 'pay']

/** What fast-check makes up; what becomes of it depends on where the borrowers stand. */
export interface Step {
  kind: Kind
  borrower: number
  who: Who
  /** 0 to 999: which of several, how much of a whole. */
  dice: number
  /** Days back, or ahead. */
  days: number
  /** The common one of two, mostly. */
  isUsual: boolean
}

interface Cleared {
  principal: number
  interest: number
  fine: number
  /** Fine taken back, because the money was paid in time. */
  corrected: number
}

export interface Plan {
  due: number
  principal: number
  interest: number
  fine: number
  paid: number
  waived: number
  reduced: number
  /** Fines are charged up to this day. */
  fineTo: number
  overdueDays: number
}

interface Payment {
  id: number
  amount: number
  day: number
  state: 'inProgress' | 'success' | 'fail'
  type: 'channel' | 'staff' | 'coolingOff'
  by: Who | null
  hasUtr: boolean
  surplus: number
  isRecovery: boolean
  isReversed: boolean
  /** By plan. */
  cleared: Map<Plan, Cleared>
}

interface Reduction {
  state: 'pending' | 'approved' | 'rejected' | 'used' | 'lapsed'
  fine: number
  interest: number
  frozenOn: number
  validUntil: number
  /** What was given up with it, by plan. */
  given: Map<Plan, { fine: number; interest: number }>
}

interface Request {
  kind: 'redisburse' | 'batchWriteOff' | 'reversePayment'
  payment: Payment | null
  state: 'pending' | 'approved' | 'rejected'
}

export interface Order {
  status: number
  /** Status a payment under way began from. */
  resume: number
  amount: number
  attempts: number
  disbursedOn: number
  overdueDays: number
  plans: Plan[]
  payments: Payment[]
  /** The newest. */
  reduction: Reduction | null
  requests: Request[]
  /** Of a batch write-off, still to be recovered. */
  claim: number
}

interface Borrower {
  order: Order | null
  isBlacklisted: boolean
}

const CLOSED = [21, 23, 27, 40, 41, 70, 100, 110]
const RUNNING = [30, 43, 50, 90]
/** Half up to the paisa. */
const portion = (amount: number, rate: number, of: number) => Number((BigInt(amount) * BigInt(rate) * 2n + BigInt(of)) / (2n * BigInt(of)))
const perDay = (principal: number) => portion(principal, TERMS.fineRate, 10_000)
const owes = ({ principal, interest, fine }: Pick<Plan, 'principal' | 'interest' | 'fine'>) => principal + interest + fine
const total = (plans: readonly Pick<Plan, 'principal' | 'interest' | 'fine'>[]) => plans.reduce((sum, plan) => sum + owes(plan), 0)
const of = (amount: number, dice: number) => Math.floor((amount * dice) / 1_000)

export class MoneyModel {
  today: number
  readonly borrowers: Borrower[] = Array.from({ length: BORROWERS }, () => ({ order: null, isBlacklisted: false }))
  #payments: number

  /** @param payments told before this history: their numbers are taken */
  constructor(today: number, payments: number) {
    this.today = today
    this.#payments = payments
  }

  get payments(): number {
    return this.#payments
  }

  /** What the step means here; where it would mean nothing, what comes next of itself: a booking is confirmed, a request decided. Null when nobody has anything to do. */
  actionOf(step: Step): Action | null {
    for (const kind of [step.kind, ...NEXT]) {
      const action = this.#actionOf({ ...step, kind })
      if (action !== null) return action
    }
    return null
  }

  #actionOf({ kind, borrower: given, who, dice, days, isUsual }: Step): Action | null {
    if (kind === 'day') return { kind, days }
    if (kind === 'dispatch') return this.borrowers.some(({ order }) => order?.status === 20 || order?.status === 26) ? { kind } : null
    const borrower = this.#fitting(kind, given)
    if (borrower === null) return null
    const order = this.borrowers[borrower]?.order ?? null
    if (kind === 'apply') return { kind, borrower, amount: dice > 900 ? 6_000_000 + dice : 300_000 + dice * 777 }
    if (order === null) return null
    const pick = <T>(list: readonly T[]): T | undefined => list[dice % Math.max(1, list.length)]
    switch (kind) {
      case 'judge':
        return { kind, borrower, result: isUsual ? 'passed' : (['undecided', 'undecided', 'failed', 'limitFailed'] as const)[dice % 4] ?? 'undecided' }
      case 'review':
        return { kind, borrower, result: isUsual ? 'passed' : 'failed' }
      case 'payout':
        return { kind, borrower, result: isUsual ? 'success' : 'fail', attempt: order.attempts }
      case 'cancel':
      case 'redisburse':
      case 'cancelDisbursement':
      case 'batchWriteOff':
        return { kind, borrower }
      case 'pay': {
        const day = isUsual || order.disbursedOn >= this.today ? null : Math.max(order.disbursedOn, this.today - days)
        const due = RUNNING.includes(order.status) ? this.dueOn(order, day ?? this.today) : order.claim + 5_000
        const amount = dice < 550 ? of(due, dice + 150) : dice < 900 ? due : due + dice
        return { kind, borrower, payment: this.#payments, amount: Math.max(1, amount), day, result: dice % 10 < 7 ? 'success' : dice % 10 === 7 ? 'fail' : 'processing', utrOf: dice % 37 === 0 ? this.#usedUtr() : null }
      }
      case 'tell': {
        const payment = pick(order.payments.filter((one) => one.state === 'inProgress' && one.type === 'channel'))
        return payment === undefined ? null : { kind: 'pay', borrower, payment: payment.id, amount: payment.amount, day: null, result: isUsual ? 'success' : 'fail', utrOf: null }
      }
      case 'book': {
        const type = order.status === 30 && dice % 3 === 0 ? 'coolingOff' : dice % 2 === 0 ? 'full' : 'partial'
        const due = type === 'coolingOff' ? this.#exitDue(order) : order.status === 110 ? order.claim : RUNNING.includes(order.status) ? this.dueOn(order, this.today) : 1_000
        return { kind, borrower, payment: this.#payments, who, type, amount: Math.max(1, type === 'partial' ? of(due, isUsual ? dice : 1_000) : isUsual ? due : due + 1), utrOf: dice % 17 === 0 ? this.#usedUtr() : null }
      }
      case 'confirm': {
        const payment = pick(order.payments.filter((one) => one.state === 'inProgress' && one.type !== 'channel'))
        return payment === undefined ? null : { kind, borrower, payment: payment.id, who, result: isUsual ? 'success' : 'fail' }
      }
      case 'launch': {
        const { fine, interest } = this.#openFees(order)
        const wanted = of(fine + interest, isUsual ? dice : 1_000)
        return { kind, borrower, fine: Math.min(fine, wanted), interest: Math.max(0, wanted - fine), days: days % 3 }
      }
      case 'decide':
        return { kind, borrower, who, result: isUsual ? 'approved' : 'rejected' }
      case 'revoke':
        return { kind, borrower, who }
      case 'withdraw':
        return { kind, borrower, who: 'manager' }
      case 'writeOff':
        return { kind, borrower, who, amount: Math.max(1, this.#owedToday(order) + (isUsual ? 0 : 1)) }
      case 'reverse': {
        const payment = pick(order.payments.filter((one) => isUsual === (one.state === 'success' && !one.isReversed)))
        return payment === undefined ? null : { kind, borrower, payment: payment.id }
      }
      case 'decideRequest': {
        const request = order.requests.findIndex(({ state }) => state === 'pending')
        return request < 0 ? null : { kind, borrower, request, who, result: isUsual ? 'approved' : 'rejected' }
      }
    }
  }

  /** The borrower that was meant when the step fits him, else the next whom it fits; whoever was meant once in a while, to be refused. */
  #fitting(kind: Kind, given: number): number | null {
    for (let n = 0; n < BORROWERS; n += 1) {
      const borrower = (given + n) % BORROWERS
      if (fits(kind, this.borrowers[borrower] as Borrower)) return borrower
    }
    const blind = this.borrowers[given]?.order ?? null
    if (kind === 'apply') return given
    // money for an order that was never paid out waits for a person: another test's matter
    if (blind === null || kind === 'tell' || kind === 'confirm' || kind === 'decide' || kind === 'revoke' || kind === 'withdraw' || kind === 'decideRequest' || kind === 'judge' || kind === 'review' || kind === 'payout' || kind === 'pay') return null
    return given
  }

  /** Carries it out. @returns `ok` or the problem's id */
  apply(action: Action): string {
    if (action.kind === 'day') {
      for (let n = 0; n < action.days; n += 1) this.#openDay()
      this.#expireReductions()
      return 'ok'
    }
    if (action.kind === 'dispatch') {
      for (const { order } of this.borrowers) if (order && (order.status === 20 || order.status === 26)) Object.assign(order, { status: 29, attempts: 1 })
      return 'ok'
    }
    const borrower = this.borrowers[action.borrower] as Borrower
    if (action.kind === 'apply') return this.#submit(borrower, action.amount)
    const order = borrower.order as Order
    switch (action.kind) {
      case 'judge':
        order.status = { passed: 20, undecided: 22, failed: 21, limitFailed: 23 }[action.result]
        return 'ok'
      case 'review':
        order.status = action.result === 'passed' ? 26 : 27
        return 'ok'
      case 'payout':
        if (action.result === 'success') this.#lend(order)
        else order.status = 31
        return 'ok'
      case 'cancel':
        return this.#move(order, [10, 20, 22, 26], 70)
      case 'cancelDisbursement':
        return this.#move(order, [31], 70)
      case 'redisburse':
        return this.#redisburse(order)
      case 'batchWriteOff':
        return this.#askBatch(order)
      case 'pay':
        return this.#told(order, action)
      case 'book':
        return this.#book(order, action)
      case 'confirm':
        return this.#confirm(order, action)
      case 'launch':
        return this.#launch(order, action)
      case 'decide':
        return this.#decide(order, action)
      case 'revoke':
        return this.#revoke(order, action.who)
      case 'withdraw':
        if (order.reduction?.state !== 'pending') return 'M-REDST'
        order.reduction.state = 'rejected'
        return 'ok'
      case 'writeOff':
        return this.#writeOff(borrower, order, action)
      case 'reverse':
        return this.#askReversal(order, action.payment)
      case 'decideRequest':
        return this.#decideRequest(order, action)
    }
  }

  /** Paise that settle the loan with money of that day. */
  dueOn(order: Order, day: number): number {
    const asOf = this.#asOf(order, day)
    const aside = asideOf(order, asOf.map((one) => ({ plan: one.plan, fine: one.fine })), day)
    return asOf.reduce((sum, { plan, fine }) => sum + plan.principal + plan.interest + fine, 0) - [...aside.values()].reduce((sum, one) => sum + one.fine + one.interest, 0)
  }

  #submit(borrower: Borrower, amount: number): string {
    if (borrower.isBlacklisted || (borrower.order !== null && !CLOSED.includes(borrower.order.status))) return 'O-RULE'
    borrower.order = { status: 10, resume: 0, amount, attempts: 0, disbursedOn: 0, overdueDays: 0, plans: [], payments: [], reduction: null, requests: [], claim: 0 }
    return 'ok'
  }

  #lend(order: Order): void {
    const { periods, daysPerPeriod, dailyRate } = TERMS
    const interest = portion(order.amount, dailyRate * periods * daysPerPeriod, 10_000)
    const split = (amount: number, n: number) => Math.floor(amount / periods) + (n < amount % periods ? 1 : 0)
    order.status = 30
    order.disbursedOn = this.today
    order.plans = Array.from({ length: periods }, (_, n) => {
      const due = this.today + (n + 1) * daysPerPeriod
      return { due, principal: split(order.amount, n), interest: split(interest, n), fine: 0, paid: 0, waived: 0, reduced: 0, fineTo: due, overdueDays: 0 }
    })
  }

  #move(order: Order, from: readonly number[], to: number): string {
    if (!from.includes(order.status)) return 'O-STATE'
    order.status = to
    return 'ok'
  }

  #redisburse(order: Order): string {
    if (order.status !== 31) return 'O-STATE'
    if (order.attempts >= TERMS.maxAttempts) return 'O-RULE'
    if (order.amount - portion(order.amount, TERMS.serviceRate, 10_000) <= TERMS.checkAbove) return this.#sendAgain(order)
    return this.#ask(order, 'redisburse', null)
  }

  #sendAgain(order: Order): string {
    if (order.status !== 31) return 'O-STATE'
    if (order.attempts >= TERMS.maxAttempts) return 'O-RULE'
    order.status = 29
    order.attempts += 1
    return 'ok'
  }

  #ask(order: Order, kind: Request['kind'], payment: Payment | null): string {
    if (kind !== 'batchWriteOff' && order.requests.some((one) => one.kind === kind && one.payment === payment && one.state === 'pending')) return 'A-OPEN'
    order.requests.push({ kind, payment, state: 'pending' })
    return 'ok'
  }

  #askBatch(order: Order): string {
    if (![50, 90].includes(order.status) || isBusy(order)) return 'G-SEL'
    return this.#ask(order, 'batchWriteOff', null)
  }

  #told(order: Order, action: Extract<Action, { kind: 'pay' }>): string {
    const known = order.payments.find(({ id }) => id === action.payment)
    if (known === undefined && action.utrOf !== null) {
      // two numbers for one transfer are one payment if they speak of the same; a failure that names another's transfer contradicts it
      const used = order.payments.find(({ id }) => id === action.utrOf)
      return used?.amount === action.amount ? 'ok' : 'M-UTR'
    }
    const payment = known ?? this.#newPayment(order, { amount: action.amount, day: action.day ?? this.today, type: 'channel', by: null, hasUtr: action.result === 'success' })
    if (action.result === 'processing') this.#submitted(order)
    else if (action.result === 'fail') this.#failed(order, payment)
    else this.#received(order, payment)
    return 'ok'
  }

  #newPayment(order: Order, given: Pick<Payment, 'amount' | 'day' | 'type' | 'by' | 'hasUtr'>): Payment {
    const payment: Payment = { id: this.#payments, state: 'inProgress', surplus: 0, isRecovery: false, isReversed: false, cleared: new Map(), ...given }
    this.#payments += 1
    order.payments.push(payment)
    return payment
  }

  #submitted(order: Order): void {
    if (!RUNNING.includes(order.status) || order.status === 43) return
    order.resume = order.status
    order.status = 43
  }

  #failed(order: Order, payment: Payment): void {
    payment.state = 'fail'
    if (order.status !== 43 || isPaying(order)) return
    order.status = order.resume === 90 ? 90 : this.today > firstDue(order) ? 50 : 30
  }

  #book(order: Order, { who, type, amount, utrOf }: Extract<Action, { kind: 'book' }>): string {
    if (who === 'director') return 'G403'
    if (!RUNNING.includes(order.status) && order.status !== 110) return 'O-STATE'
    if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
    if (type === 'coolingOff') {
      if (this.#exitRefused(order, this.today)) return 'O-RULE'
      if (amount !== this.#exitDue(order)) return 'M-AMT'
    } else {
      const due = order.status === 110 ? order.claim : this.dueOn(order, this.today)
      if (type === 'full' ? amount !== due : amount >= due) return 'M-AMT'
    }
    if (utrOf !== null) return 'M-UTR'
    this.#newPayment(order, { amount, day: this.today, type: type === 'coolingOff' ? type : 'staff', by: who, hasUtr: true })
    if (type !== 'coolingOff') this.#submitted(order)
    return 'ok'
  }

  #confirm(order: Order, { payment: id, who, result }: Extract<Action, { kind: 'confirm' }>): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    if (who === 'director' || who === 'customer_service') return 'G403'
    if (payment.by === who) return 'G-SELF'
    if (result === 'fail') {
      this.#failed(order, payment)
      return 'ok'
    }
    if (payment.type !== 'coolingOff') {
      this.#received(order, payment)
      return 'ok'
    }
    if (this.#exitRefused(order, payment.day)) return 'O-RULE'
    for (const plan of order.plans) {
      const interest = this.#exitShare(order, plan, payment.day)
      Object.assign(plan, { paid: plan.principal + interest, waived: plan.interest - interest, principal: 0, interest: 0 })
    }
    Object.assign(order, { status: 40, overdueDays: 0 })
    payment.state = 'success'
    return 'ok'
  }

  #exitRefused(order: Order, day: number): boolean {
    return order.status !== 30 || day > order.disbursedOn + TERMS.coolingOffDays || order.plans.some((plan) => plan.paid > 0 || plan.fine > 0)
  }

  #exitShare(order: Order, plan: Plan, day: number): number {
    return portion(plan.interest, day - order.disbursedOn, TERMS.periods * TERMS.daysPerPeriod)
  }

  #exitDue(order: Order): number {
    return order.plans.reduce((sum, plan) => sum + plan.principal + this.#exitShare(order, plan, Math.min(this.today, order.disbursedOn + 6)), 0)
  }

  /** Money is there: against the loan, as a recovery, or the borrower's. */
  #received(order: Order, payment: Payment): void {
    payment.state = 'success'
    payment.hasUtr = true
    if (!RUNNING.includes(order.status)) {
      const counted = order.status === 110 ? Math.min(payment.amount, order.claim) : 0
      order.claim -= counted
      payment.surplus = payment.amount - counted
      payment.isRecovery = counted > 0 && payment.surplus === 0
      return
    }
    const { reduction } = order
    if (reduction?.state === 'approved' && payment.day > reduction.validUntil) this.#lapse(order, reduction)
    this.#count(order, payment)
  }

  #count(order: Order, payment: Payment): void {
    const standing = order.status === 43 ? order.resume : order.status
    const asOf = this.#asOf(order, payment.day)
    const aside = asideOf(order, asOf.map((one) => ({ plan: one.plan, fine: one.fine })), payment.day)
    const left = new Map(asOf.map(({ plan, fine }) => [plan, { principal: plan.principal, interest: plan.interest - (aside.get(plan)?.interest ?? 0), fine: fine - (aside.get(plan)?.fine ?? 0) }]))
    // of a bad debt what was lent comes first, else each instalment whole: fine, interest, principal
    const queue = standing === 90
      ? [...asOf.map(({ plan }) => [plan, 'principal'] as const), ...asOf.flatMap(({ plan }) => [[plan, 'fine'], [plan, 'interest']] as const)]
      : asOf.flatMap(({ plan }) => [[plan, 'fine'], [plan, 'interest'], [plan, 'principal']] as const)
    let money = payment.amount
    for (const [plan, part] of queue) {
      const open = left.get(plan) as { principal: number; interest: number; fine: number }
      const taken = Math.min(money, open[part])
      if (taken === 0) continue
      money -= taken
      open[part] -= taken
      const cleared = payment.cleared.get(plan) ?? { principal: 0, interest: 0, fine: 0, corrected: 0 }
      cleared[part] += taken
      payment.cleared.set(plan, cleared)
    }
    payment.surplus = money
    const isSettled = total([...left.values()]) === 0
    for (const { plan, fine, taken, daysAfter } of asOf) {
      const cleared = payment.cleared.get(plan) ?? { principal: 0, interest: 0, fine: 0, corrected: 0 }
      const given = (isSettled ? aside.get(plan) : undefined) ?? { fine: 0, interest: 0 }
      plan.principal -= cleared.principal
      plan.interest -= cleared.interest + given.interest
      // fines of the days since stand again on the principal that is left
      const again = Math.min(taken, daysAfter * perDay(plan.principal))
      plan.fine = fine - cleared.fine - given.fine + again
      plan.paid += cleared.principal + cleared.interest + cleared.fine
      plan.reduced += given.fine + given.interest
      if (taken > again) payment.cleared.set(plan, { ...cleared, corrected: taken - again })
      if (owes(plan) === 0) plan.overdueDays = Math.max(0, payment.day - plan.due)
    }
    const open = order.plans.filter((plan) => owes(plan) > 0)
    order.overdueDays = Math.max(0, ...(open.length === 0 ? order.plans : open).map((plan) => plan.overdueDays))
    if (open.length > 0) {
      order.status = standing === 90 ? 90 : this.today > firstDue(order) ? 50 : 30
      if (isPaying(order)) this.#submitted(order)
      return
    }
    const used = isSettled ? aside : new Map<Plan, { fine: number; interest: number }>()
    order.status = used.size > 0 ? 41 : 40
    const { reduction } = order
    if (reduction === null) return
    if (used.size > 0) Object.assign(reduction, { state: 'used', given: used })
    else if (reduction.state === 'pending') reduction.state = 'rejected'
    else if (reduction.state === 'approved') reduction.state = 'lapsed'
  }

  /** Open instalments with the fine that counts for money of a day, and what of the fines charged since then is left out. */
  #asOf(order: Order, day: number): { plan: Plan; fine: number; taken: number; daysAfter: number }[] {
    const fineDay = fineDayOf(order, day)
    return order.plans.filter((plan) => owes(plan) > 0).map((plan) => {
      const days = plan.fineTo - Math.max(plan.due, fineDay)
      const daysAfter = Math.max(0, days)
      const taken = Math.min(plan.fine, daysAfter * perDay(plan.principal))
      return { plan, fine: plan.fine - taken, taken, daysAfter }
    })
  }

  #openFees(order: Order): { fine: number; interest: number; due: number } {
    const asOf = this.#asOf(order, this.today)
    return { fine: asOf.reduce((sum, one) => sum + one.fine, 0), interest: asOf.reduce((sum, { plan }) => sum + plan.interest, 0), due: asOf.reduce((sum, { plan, fine }) => sum + plan.principal + plan.interest + fine, 0) }
  }

  #launch(order: Order, { fine, interest, days }: Extract<Action, { kind: 'launch' }>): string {
    if (order.status !== 50 && order.status !== 90) return 'O-STATE'
    if (fine + interest < 1) return 'G422'
    if (this.#openFees(order).due - fine - interest < 1) return 'O-RULE'
    if (order.reduction !== null && isOpen(order.reduction)) return 'M-OPEN'
    order.reduction = { state: 'pending', fine, interest, frozenOn: 0, validUntil: this.today + days, given: new Map() }
    return 'ok'
  }

  #decide(order: Order, { who, result }: Extract<Action, { kind: 'decide' }>): string {
    const reduction = order.reduction as Reduction
    if (who === 'customer_service') return 'G403'
    if (reduction.state !== 'pending') return 'M-REDST'
    if (who === 'manager') return 'G-SELF'
    if (who === 'manager2') return 'M-LEVEL'
    if (result === 'rejected') {
      reduction.state = 'rejected'
      return 'ok'
    }
    const open = this.#openFees(order)
    const [fine, interest] = [Math.min(reduction.fine, open.fine), Math.min(reduction.interest, open.interest)]
    if (this.today > reduction.validUntil || fine + interest < 1 || open.due - fine - interest < 1) return 'O-RULE'
    Object.assign(reduction, { state: 'approved', fine, interest, frozenOn: this.today })
    return 'ok'
  }

  #revoke(order: Order, who: Who): string {
    if (who === 'customer_service') return 'G403'
    const reduction = order.reduction as Reduction
    if (reduction.state !== 'approved') return 'M-REDST'
    if (who === 'manager') return 'G-SELF'
    if (hasOpenPayment(order)) return 'M-OPEN'
    this.#lapse(order, reduction)
    return 'ok'
  }

  /** Its days are fined after all. */
  #lapse(order: Order, reduction: Reduction): void {
    reduction.state = 'lapsed'
    for (const plan of order.plans) if (owes(plan) > 0) charge(plan, this.today)
  }

  #expireReductions(): void {
    for (const { order } of this.borrowers) {
      const reduction = order?.reduction
      if (!order || reduction?.state !== 'approved' || this.today <= reduction.validUntil) continue
      if (!order.payments.some((one) => one.state === 'inProgress' && one.day <= reduction.validUntil)) this.#lapse(order, reduction)
    }
  }

  #owedToday(order: Order): number {
    return order.plans.reduce((sum, plan) => sum + (owes(plan) === 0 ? 0 : owes(plan) + Math.max(0, this.today - plan.fineTo) * perDay(plan.principal)), 0)
  }

  #writeOff(borrower: Borrower, order: Order, { who, amount }: Extract<Action, { kind: 'writeOff' }>): string {
    if (who === 'customer_service') return 'G403'
    if (![30, 50, 90].includes(order.status)) return 'O-STATE'
    if (amount !== this.#owedToday(order)) return 'M-AMT'
    if (amount > (WRITE_OFF_CAP[who] ?? WRITE_OFF_CAP.manager ?? 0)) return 'M-CAP'
    if (isBusy(order)) return 'M-OPEN'
    this.#giveUp(order, 100)
    borrower.isBlacklisted = true
    return 'ok'
  }

  #giveUp(order: Order, status: number): void {
    for (const plan of order.plans) {
      if (owes(plan) === 0) continue
      charge(plan, this.today)
      if (status === 110) order.claim += owes(plan)
      Object.assign(plan, { waived: plan.waived + owes(plan), principal: 0, interest: 0, fine: 0 })
    }
    order.status = status
  }

  #askReversal(order: Order, id: number): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    const refused = this.#reversalRefused(order, payment)
    return refused ?? this.#ask(order, 'reversePayment', payment)
  }

  #reversalRefused(order: Order, payment: Payment): string | null {
    if (payment.state !== 'success' || payment.isReversed) return 'M-STATE'
    if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
    if (![30, 40, 41, 50, 90].includes(order.status)) return 'O-STATE'
    return payment.type === 'coolingOff' || payment.isRecovery ? 'O-RULE' : null
  }

  #decideRequest(order: Order, { request: index, who, result }: Extract<Action, { kind: 'decideRequest' }>): string {
    const request = order.requests[index] as Request
    // to somebody who neither asked nor may decide it is not there
    if (who === 'customer_service' || (who === 'manager2' && request.kind === 'batchWriteOff')) return 'G404'
    if (who === 'manager') return 'G-SELF'
    if (result === 'rejected') {
      request.state = 'rejected'
      return 'ok'
    }
    const refused = this.#carryOut(order, request)
    if (refused === null) request.state = 'approved'
    return refused ?? 'ok'
  }

  #carryOut(order: Order, { kind, payment }: Request): string | null {
    if (kind === 'redisburse') {
      const sent = this.#sendAgain(order)
      return sent === 'ok' ? null : sent
    }
    if (kind === 'batchWriteOff') {
      // the rows are a job's: one that moved on meanwhile is left alone
      if ([50, 90].includes(order.status) && !isBusy(order)) this.#giveUp(order, 110)
      return null
    }
    const taken = payment as Payment
    const refused = this.#reversalRefused(order, taken)
    if (refused !== null) return refused
    this.#takeOut(order, taken)
    return null
  }

  #takeOut(order: Order, payment: Payment): void {
    const used = order.status === 41 ? (order.reduction as Reduction) : null
    const fineDay = fineDayOf(order, this.today)
    payment.isReversed = true
    for (const plan of order.plans) {
      const back = payment.cleared.get(plan)
      const given = used?.given.get(plan)
      if (!back && !given && owes(plan) === 0) continue
      plan.principal += back?.principal ?? 0
      plan.interest += (back?.interest ?? 0) + (given?.interest ?? 0)
      plan.fine += (back?.fine ?? 0) + (back?.corrected ?? 0) + (given?.fine ?? 0)
      plan.paid -= back ? back.principal + back.interest + back.fine : 0
      plan.reduced -= given ? given.interest + given.fine : 0
      if (this.today > plan.due) charge(plan, fineDay)
      plan.overdueDays = Math.max(0, this.today - plan.due)
    }
    if (total(order.plans) === 0) return
    const isLate = this.today > firstDue(order)
    order.overdueDays = Math.max(0, ...order.plans.filter((plan) => owes(plan) > 0).map((plan) => plan.overdueDays))
    if (CLOSED.includes(order.status)) order.status = isLate ? 50 : 30
    else if (order.status === 30 && isLate) order.status = 50
  }

  #openDay(): void {
    this.today += 1
    for (const { order } of this.borrowers) {
      if (!order || !RUNNING.includes(order.status)) continue
      const fineDay = fineDayOf(order, this.today)
      for (const plan of order.plans) {
        if (owes(plan) === 0 || plan.due >= this.today) continue
        charge(plan, fineDay)
        // a day that brought no fine was still charged
        plan.fineTo = Math.max(plan.fineTo, fineDay)
        plan.overdueDays = this.today - plan.due
      }
      order.overdueDays = Math.max(0, this.today - firstDue(order))
      if (order.status === 30 && order.overdueDays > 0) order.status = 50
      if (order.status === 50 && order.overdueDays >= TERMS.badDebtDays) order.status = 90
    }
  }

  /** Of another order, so that it is in any case another payment. */
  #usedUtr(): number | null {
    for (const { order } of this.borrowers) for (const payment of order?.payments ?? []) if (payment.state === 'success' && !payment.isReversed) return payment.id
    return null
  }
}

/** Fines are charged up to it: while an approved reduction waits for its money they stand still. */
function fineDayOf({ reduction }: Order, day: number): number {
  return reduction?.state === 'approved' && day <= reduction.validUntil ? Math.min(day, reduction.frozenOn) : day
}

function fits(kind: Kind, { order, isBlacklisted }: Borrower): boolean {
  if (kind === 'apply') return !isBlacklisted && (order === null || CLOSED.includes(order.status))
  if (order === null) return false
  const { status, payments, reduction } = order
  const isLoan = order.plans.length > 0
  switch (kind) {
    case 'judge':
      return status === 10
    case 'review':
      return status === 22
    case 'payout':
      return status === 29
    case 'redisburse':
    case 'cancelDisbursement':
      return status === 31
    case 'cancel':
      return [10, 20, 22, 26].includes(status)
    case 'pay':
      return RUNNING.includes(status) || status === 110
    case 'tell':
      return payments.some((one) => one.state === 'inProgress' && one.type === 'channel')
    case 'confirm':
      return payments.some((one) => one.state === 'inProgress' && one.type !== 'channel')
    case 'book':
      return RUNNING.includes(status) && status !== 43
    case 'launch':
      return (status === 50 || status === 90) && (reduction === null || !isOpen(reduction))
    case 'decide':
    case 'withdraw':
      return reduction?.state === 'pending'
    case 'revoke':
      return reduction?.state === 'approved'
    case 'writeOff':
      return [30, 50, 90].includes(status)
    case 'batchWriteOff':
      return [50, 90].includes(status)
    case 'reverse':
      return isLoan && payments.length > 0 && status !== 43
    case 'decideRequest':
      return order.requests.some(({ state }) => state === 'pending')
    default:
      return false
  }
}

function charge(plan: Plan, to: number): void {
  const fine = Math.max(0, to - plan.fineTo) * perDay(plan.principal)
  if (fine === 0) return
  plan.fine += fine
  plan.fineTo = to
}

/** What the reduction gives up once the rest is paid, oldest instalment first. */
function asideOf({ reduction }: Order, asOf: readonly { plan: Plan; fine: number }[], day: number): Map<Plan, { fine: number; interest: number }> {
  const aside = new Map<Plan, { fine: number; interest: number }>()
  if (reduction?.state !== 'approved' || day > reduction.validUntil) return aside
  let { fine, interest } = reduction
  for (const one of asOf) {
    const given = { fine: Math.min(fine, one.fine), interest: Math.min(interest, one.plan.interest) }
    fine -= given.fine
    interest -= given.interest
    if (given.fine + given.interest > 0) aside.set(one.plan, given)
  }
  return aside
}

function isOpen({ state }: Reduction): boolean {
  return state === 'pending' || state === 'approved'
}
function hasOpenPayment({ payments }: Order): boolean {
  return payments.some(({ state }) => state === 'inProgress')
}
/** Of a payment that the order waits for. */
function isPaying({ payments }: Order): boolean {
  return payments.some(({ state, type }) => state === 'inProgress' && type !== 'coolingOff')
}
function isBusy(order: Order): boolean {
  return hasOpenPayment(order) || (order.reduction !== null && isOpen(order.reduction))
}
function firstDue({ plans }: Order): number {
  return Math.min(...plans.filter((plan) => owes(plan) > 0).map(({ due }) => due))
}
