/**
 * The rules about money, implemented a second time and independently of the product: two borrowers
 * with one order at a time, days as plain numbers, and for each action its outcome (`ok` or the id
 * of the refusal) and what is owed after it, in paise and by part.
 */
import { type Action, BORROWERS, EXTENSION, PENALTIES, TERMS, type Who } from './actions.ts'
import {
  type Borrower,
  CLOSED,
  EVENING,
  firstDue,
  hasOpenPayment,
  isBusy,
  isOpen,
  isPaying,
  type Moment,
  newOrder,
  newPlan,
  type Order,
  owes,
  type Payment,
  type Plan,
  portion,
  type Reduction,
  type Request,
  RUNNING,
  total,
} from './loan.ts'
import { asideOf, replay } from './replay.ts'

const COOL_DOWN_DAYS = 30
const WRITE_OFF_CAP: Partial<Record<Who, number>> = { manager: 2_500_000, director: 20_000_000 }

export class MoneyModel {
  today: number
  readonly borrowers: Borrower[] = Array.from({ length: BORROWERS }, (_, n) => ({
    order: null,
    penalty: PENALTIES[n] ?? PENALTIES[0],
    isBlacklisted: false,
    barredUntil: 0,
  }))
  #payments: number
  /** Grows with every step: the order of what is done on a day. */
  #steps = 0

  /** @param payments of earlier histories: their numbers are taken */
  constructor(today: number, payments: number) {
    this.today = today
    this.#payments = payments
  }

  get payments(): number {
    return this.#payments
  }

  #now(): Moment {
    return [this.today, this.#steps]
  }

  /** Executes it. @returns `ok` or the problem's id */
  apply(action: Action): string {
    this.#steps += 1
    if (action.kind === 'day') {
      for (let n = 0; n < action.days; n += 1) this.#openDay()
      this.#expireReductions()
      return 'ok'
    }
    if (action.kind === 'dispatch') {
      for (const { order } of this.borrowers)
        if (order && (order.status === 20 || order.status === 26))
          Object.assign(order, { status: 29, attempts: 1 })
      return 'ok'
    }
    const borrower = this.borrowers[action.borrower] as Borrower
    if (action.kind === 'apply') return this.#submit(borrower, action.amount)
    const order = borrower.order as Order
    switch (action.kind) {
      case 'judge':
        order.status = { passed: 20, undecided: 22, failed: 21, limitFailed: 23 }[action.result]
        if (action.result === 'failed') borrower.barredUntil = this.today + COOL_DOWN_DAYS
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
        return this.#receivePayment(order, action)
      case 'book':
        return this.#book(order, action)
      case 'confirm':
        return this.#confirm(borrower, order, action)
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

  /** Paise that settle the loan with money of today. */
  dueOn(order: Order): number {
    const { reduction } = order
    const open = order.plans.filter((plan) => owes(plan) > 0)
    const isUsable = reduction?.state === 'approved' && this.today <= reduction.validUntil
    const aside = isUsable ? asideOf(reduction, open) : []
    return total(open) - aside.reduce((sum, one) => sum + one.fine + one.interest, 0)
  }

  /** All that was told of the loan is played again. */
  #refresh(order: Order): boolean {
    const { plans, surplus, isBad } = replay(order, this.today)
    for (const [i, plan] of plans.entries()) Object.assign(order.plans[i] as Plan, plan)
    for (const [payment, paise] of surplus) payment.surplus = paise
    return isBad
  }

  #submit(borrower: Borrower, amount: number): string {
    if (
      borrower.isBlacklisted ||
      this.today < borrower.barredUntil ||
      (borrower.order !== null && !CLOSED.includes(borrower.order.status))
    )
      return 'O-RULE'
    borrower.order = newOrder({ status: 10, amount, penalty: borrower.penalty })
    return 'ok'
  }

  #lend(order: Order): void {
    const { periods, daysPerPeriod, dailyRate } = TERMS
    const interest = portion(order.amount, dailyRate * periods * daysPerPeriod, 10_000)
    const split = (amount: number, n: number) =>
      Math.floor(amount / periods) + (n < amount % periods ? 1 : 0)
    order.status = 30
    order.disbursedOn = this.today
    order.plans = Array.from({ length: periods }, (_, n) => {
      const due = this.today + (n + 1) * daysPerPeriod
      return newPlan(due, { principal: split(order.amount, n), interest: split(interest, n) })
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
    if (order.amount - portion(order.amount, TERMS.serviceRate, 10_000) <= TERMS.checkAbove)
      return this.#sendAgain(order)
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
    if (
      kind !== 'batchWriteOff' &&
      order.requests.some(
        (one) => one.kind === kind && one.payment === payment && one.state === 'pending',
      )
    )
      return 'A-OPEN'
    order.requests.push({ kind, payment, state: 'pending' })
    return 'ok'
  }

  #askBatch(order: Order): string {
    if (![50, 90].includes(order.status) || isBusy(order)) return 'G-SEL'
    return this.#ask(order, 'batchWriteOff', null)
  }

  #receivePayment(order: Order, action: Extract<Action, { kind: 'pay' }>): string {
    const known = order.payments.find(({ id }) => id === action.payment)
    if (known === undefined && action.utrOf !== null) {
      // Two numbers for one transfer are one payment if they name the same transfer; a failure that
      // names another transfer contradicts it.
      const used = order.payments.find(({ id }) => id === action.utrOf)
      return used?.amount === action.amount ? 'ok' : 'M-UTR'
    }
    const payment =
      known ??
      this.#newPayment(order, {
        amount: action.amount,
        day: action.day,
        type: 'channel',
        by: null,
        hasUtr: action.result === 'success',
      })
    if (action.result === 'processing') this.#submitted(order)
    else if (action.result === 'fail') this.#failed(order, payment)
    else this.#received(order, payment)
    return 'ok'
  }

  #newPayment(
    order: Order,
    { day, ...given }: Pick<Payment, 'amount' | 'type' | 'by' | 'hasUtr'> & { day: number | null },
  ): Payment {
    const payment: Payment = {
      id: this.#payments,
      state: 'inProgress',
      surplus: 0,
      isRecovery: false,
      isReversed: false,
      isCredit: false,
      day: day ?? this.today,
      at: day === null ? this.#now() : [day, EVENING],
      receivedAt: this.#now(),
      ...given,
    }
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
      if (amount !== this.exitDue(order)) return 'M-AMT'
    } else if (type === 'rollover') {
      const price = this.priceExtension(order, this.today)
      if (price === null) return 'O-RULE'
      if (amount !== price.due) return 'M-AMT'
    } else {
      const due = order.status === 110 ? order.claim : this.dueOn(order)
      if (type === 'full' ? amount !== due : amount >= due) return 'M-AMT'
    }
    if (utrOf !== null) return 'M-UTR'
    this.#newPayment(order, {
      amount,
      day: null,
      type: type === 'coolingOff' || type === 'rollover' ? type : 'staff',
      by: who,
      hasUtr: true,
    })
    if (type !== 'coolingOff') this.#submitted(order)
    return 'ok'
  }

  #confirm(
    borrower: Borrower,
    order: Order,
    { payment: id, who, result }: Extract<Action, { kind: 'confirm' }>,
  ): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    if (who === 'director' || who === 'customer_service') return 'G403'
    if (payment.by === who) return 'G-SELF'
    if (result === 'fail') {
      this.#failed(order, payment)
      return 'ok'
    }
    if (payment.type === 'rollover' && RUNNING.includes(order.status))
      return this.#extend(borrower, order, payment)
    // An exit payment that arrives after the loan has ended otherwise is treated like any other
    // money.
    if (payment.type !== 'coolingOff' || CLOSED.includes(order.status)) {
      this.#received(order, payment)
      return 'ok'
    }
    if (this.#exitRefused(order, payment.day)) return 'O-RULE'
    for (const plan of order.plans) {
      const interest = this.#exitShare(order, plan, payment.day)
      Object.assign(plan, {
        paid: plan.principal + interest,
        waived: plan.interest - interest,
        principal: 0,
        interest: 0,
        overdueDays: 0,
      })
    }
    Object.assign(order, { status: 40, overdueDays: 0, exit: payment })
    payment.state = 'success'
    return 'ok'
  }

  /** Fee and fine of money of that day; null where there is no extension. */
  priceExtension(order: Order, day: number): { due: number; fine: number } | null {
    const standing = order.status === 43 ? order.resume : order.status
    const [plan, ...others] = order.plans.filter((one) => owes(one) > 0)
    if (
      standing === 90 ||
      order.extensions >= EXTENSION.maxTimes ||
      (order.reduction !== null && isOpen(order.reduction))
    )
      return null
    if (plan === undefined || others.length > 0 || plan.principal < 1) return null
    // Fines of the days since are left out, unless something was paid meanwhile.
    const newest = Math.max(
      day,
      ...order.payments
        .filter((one) => one.state === 'success' && !one.isReversed && !one.isCredit)
        .map((one) => one.day),
    )
    const since = plan.fines
      .filter(([fined]) => fined > newest)
      .reduce((sum, [, paise]) => sum + paise, 0)
    const fine = plan.fine - since
    const due = portion(plan.principal, EXTENSION.fee, 10_000) + fine
    return due < 1 ? null : { due, fine }
  }

  /** The open amount of the loan moves to a new order with a later due day; nothing else moves. */
  #extend(borrower: Borrower, order: Order, payment: Payment): string {
    const price = this.priceExtension(order, payment.day)
    if (price === null) return 'O-RULE'
    if (payment.amount !== price.due) return 'M-AMT'
    const plan = order.plans.find((one) => owes(one) > 0) as Plan
    const due = Math.max(this.today, plan.due) + EXTENSION.days
    const { principal, interest } = plan
    borrower.order = {
      ...newOrder({ status: 30, amount: principal, penalty: borrower.penalty }),
      disbursedOn: this.today,
      extensions: order.extensions + 1,
      plans: [newPlan(due, { principal, interest })],
    }
    return 'ok'
  }

  #exitRefused(order: Order, day: number): boolean {
    return (
      order.extensions > 0 ||
      order.status !== 30 ||
      day > order.disbursedOn + TERMS.coolingOffDays ||
      order.plans.some((plan) => plan.paid > 0 || plan.fine > 0)
    )
  }

  #exitShare(order: Order, plan: Plan, day: number): number {
    return portion(plan.interest, day - order.disbursedOn, TERMS.periods * TERMS.daysPerPeriod)
  }

  exitDue(order: Order): number {
    return order.plans.reduce(
      (sum, plan) =>
        sum +
        plan.principal +
        this.#exitShare(order, plan, Math.min(this.today, order.disbursedOn + 6)),
      0,
    )
  }

  /** Money has arrived: for the loan, as a recovery, or owed to the borrower. */
  #received(order: Order, payment: Payment): void {
    payment.state = 'success'
    payment.hasUtr = true
    payment.receivedAt = this.#now()
    if (RUNNING.includes(order.status)) {
      const { reduction } = order
      if (reduction?.state === 'approved' && payment.day > reduction.validUntil)
        this.#lapse(order, reduction, true)
      this.#count(order)
      return
    }
    const isOrdinary = payment.type === 'channel' || payment.type === 'staff'
    if ((order.status === 40 || order.status === 41) && isOrdinary && order.exit === null) {
      const used = usedOf(order)
      const after = replay(order, this.today)
      if (total(after.plans) === 0 && after.used === used) {
        this.#refresh(order)
        order.overdueDays = Math.max(0, ...order.plans.map((plan) => plan.overdueDays))
        return
      }
    }
    const counted = order.status === 110 ? Math.min(payment.amount, order.claim) : 0
    order.claim -= counted
    payment.surplus = payment.amount - counted
    payment.isRecovery = counted > 0 && payment.surplus === 0
    payment.isCredit = true
  }

  #count(order: Order): void {
    const standing = order.status === 43 ? order.resume : order.status
    const { used } = replay(order, this.today)
    const isBad = this.#refresh(order)
    const open = order.plans.filter((plan) => owes(plan) > 0)
    order.overdueDays = Math.max(
      0,
      ...(open.length === 0 ? order.plans : open).map((plan) => plan.overdueDays),
    )
    if (open.length > 0) {
      order.status = standing === 90 && isBad ? 90 : this.today > firstDue(order) ? 50 : 30
      if (isPaying(order)) this.#submitted(order)
      return
    }
    order.status = used === null ? 40 : 41
    if (used !== null) Object.assign(used, { state: 'used', hasExpired: false })
    for (const one of order.reductions)
      if (one.state === 'pending') one.state = 'rejected'
      else if (one.state === 'approved')
        Object.assign(one, { state: 'lapsed', endedAt: this.#now() })
  }

  openFees(order: Order): { fine: number; interest: number; due: number } {
    const sum = (part: 'fine' | 'interest') =>
      order.plans.reduce((paise, plan) => paise + plan[part], 0)
    return { fine: sum('fine'), interest: sum('interest'), due: total(order.plans) }
  }

  #launch(order: Order, { fine, interest, days }: Extract<Action, { kind: 'launch' }>): string {
    if (order.status !== 50 && order.status !== 90) return 'O-STATE'
    if (fine + interest < 1) return 'G422'
    if (this.openFees(order).due - fine - interest < 1) return 'O-RULE'
    if (order.reduction !== null && isOpen(order.reduction)) return 'M-OPEN'
    order.reduction = {
      state: 'pending',
      fine,
      interest,
      approvedAt: null,
      validUntil: this.today + days,
      endedAt: null,
      hasExpired: false,
      isVoid: false,
    }
    order.reductions.push(order.reduction)
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
    const open = this.openFees(order)
    const [fine, interest] = [
      Math.min(reduction.fine, open.fine),
      Math.min(reduction.interest, open.interest),
    ]
    if (this.today > reduction.validUntil || fine + interest < 1 || open.due - fine - interest < 1)
      return 'O-RULE'
    Object.assign(reduction, { state: 'approved', fine, interest, approvedAt: this.#now() })
    return 'ok'
  }

  #revoke(order: Order, who: Who): string {
    if (who === 'customer_service') return 'G403'
    const reduction = order.reduction as Reduction
    if (reduction.state !== 'approved') return 'M-REDST'
    if (who === 'manager') return 'G-SELF'
    if (hasOpenPayment(order)) return 'M-OPEN'
    this.#lapse(order, reduction, false)
    return 'ok'
  }

  /** Its days are fined after all. */
  #lapse(order: Order, reduction: Reduction, hasExpired: boolean): void {
    Object.assign(reduction, { state: 'lapsed', endedAt: this.#now(), hasExpired })
    this.#refresh(order)
  }

  #expireReductions(): void {
    for (const { order } of this.borrowers) {
      const reduction = order?.reduction
      if (!order || reduction?.state !== 'approved' || this.today <= reduction.validUntil) continue
      if (
        !order.payments.some((one) => one.state === 'inProgress' && one.day <= reduction.validUntil)
      )
        this.#lapse(order, reduction, true)
    }
  }

  owedToday(order: Order): number {
    return total(order.plans)
  }

  #writeOff(
    borrower: Borrower,
    order: Order,
    { who, amount }: Extract<Action, { kind: 'writeOff' }>,
  ): string {
    if (who === 'customer_service') return 'G403'
    if (![30, 50, 90].includes(order.status)) return 'O-STATE'
    if (amount !== this.owedToday(order)) return 'M-AMT'
    if (amount > (WRITE_OFF_CAP[who] ?? WRITE_OFF_CAP.manager ?? 0)) return 'M-CAP'
    if (isBusy(order)) return 'M-OPEN'
    this.#giveUp(order, 100)
    borrower.isBlacklisted = true
    return 'ok'
  }

  #giveUp(order: Order, status: number): void {
    for (const plan of order.plans) {
      if (owes(plan) === 0) continue
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
    if (payment.isRecovery) return 'O-RULE'
    // A loan that ended with a reduction goes back into arrears alone.
    if (order.status !== 41 || payment.isCredit) return null
    const { plans } = this.#without(order, payment)
    const open = plans.filter((plan) => owes(plan) > 0)
    return open.length > 0 && open.every(({ due }) => this.today <= due) ? 'O-RULE' : null
  }

  /** As it would be without the payment; a reduction that does not settle it then is void. */
  #without(order: Order, payment: Payment): ReturnType<typeof replay> & { isVoid: boolean } {
    const used = usedOf(order)
    const { isReversed } = payment
    payment.isReversed = true
    const kept = replay(order, this.today)
    const isVoid = used !== null && kept.used !== used
    const after = isVoid ? replay(order, this.today, used) : kept
    payment.isReversed = isReversed
    return { ...after, isVoid }
  }

  #decideRequest(
    order: Order,
    { request: index, who, result }: Extract<Action, { kind: 'decideRequest' }>,
  ): string {
    const request = order.requests[index] as Request
    // A user who neither requested nor may decide it gets "not found".
    if (who === 'customer_service' || (who === 'manager2' && request.kind === 'batchWriteOff'))
      return 'G404'
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
      // A job processes the rows: a row that changed meanwhile is skipped.
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
    const used = usedOf(order)
    if (order.exit === payment) {
      order.exit = null
      payment.isReversed = true
      this.#refresh(order)
    } else if (payment.isCredit || order.exit !== null) payment.isReversed = true
    else {
      const { isVoid } = this.#without(order, payment)
      payment.isReversed = true
      if (isVoid && used !== null) used.isVoid = true
      this.#refresh(order)
    }
    if (total(order.plans) === 0) return
    const isLate = this.today > firstDue(order)
    order.overdueDays = Math.max(
      0,
      ...order.plans.filter((plan) => owes(plan) > 0).map((plan) => plan.overdueDays),
    )
    if (CLOSED.includes(order.status)) order.status = isLate ? 50 : 30
    else if (order.status === 30 && isLate) order.status = 50
  }

  #openDay(): void {
    this.today += 1
    for (const { order } of this.borrowers) {
      if (!order || !RUNNING.includes(order.status)) continue
      this.#refresh(order)
      order.overdueDays = Math.max(0, this.today - firstDue(order))
      if (order.status === 30 && order.overdueDays > 0) order.status = 50
      if (order.status === 50 && order.overdueDays >= TERMS.badDebtDays) order.status = 90
    }
  }
}

/** The reduction the loan was repaid with. */
function usedOf({ reductions }: Order): Reduction | null {
  return reductions.find((one) => one.state === 'used' && !one.isVoid) ?? null
}
