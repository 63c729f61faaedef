/**
 * What the rules say about money (domain.md 1, 2.4-2.6, 3; api.md 25), written down a second time and independently of the product:
 * two borrowers with one order at a time, days as plain numbers, and for each thing somebody does its outcome - `ok` or the id of the
 * refusal - and what is owed after it, in paise and by part.
 */
import { type Action, BORROWERS, EXTENSION, TERMS, type Who } from './actions.ts'
import {
  asideOf,
  type Borrower,
  charge,
  CLOSED,
  fineDayOf,
  firstDue,
  hasOpenPayment,
  isBusy,
  isOpen,
  isPaying,
  newOrder,
  newPlan,
  type Order,
  owes,
  type Payment,
  perDay,
  type Plan,
  portion,
  type Reduction,
  type Request,
  RUNNING,
  total,
} from './loan.ts'

const COOL_DOWN_DAYS = 30
const WRITE_OFF_CAP: Partial<Record<Who, number>> = { manager: 2_500_000, director: 20_000_000 }

export class MoneyModel {
  today: number
  readonly borrowers: Borrower[] = Array.from({ length: BORROWERS }, () => ({
    order: null,
    isBlacklisted: false,
    barredUntil: 0,
  }))
  #payments: number

  /** @param payments told before this history: their numbers are taken */
  constructor(today: number, payments: number) {
    this.today = today
    this.#payments = payments
  }

  get payments(): number {
    return this.#payments
  }

  /** Carries it out. @returns `ok` or the problem's id */
  apply(action: Action): string {
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
        return this.#told(order, action)
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

  /** Paise that settle the loan with money of that day. */
  dueOn(order: Order, day: number): number {
    const asOf = this.#asOf(order, day)
    const aside = asideOf(
      order,
      asOf.map((one) => ({ plan: one.plan, fine: one.fine })),
      day,
    )
    return (
      asOf.reduce((sum, { plan, fine }) => sum + plan.principal + plan.interest + fine, 0) -
      [...aside.values()].reduce((sum, one) => sum + one.fine + one.interest, 0)
    )
  }

  #submit(borrower: Borrower, amount: number): string {
    if (
      borrower.isBlacklisted ||
      this.today < borrower.barredUntil ||
      (borrower.order !== null && !CLOSED.includes(borrower.order.status))
    )
      return 'O-RULE'
    borrower.order = newOrder({ status: 10, amount })
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
      return newPlan({ due, principal: split(order.amount, n), interest: split(interest, n) })
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

  #told(order: Order, action: Extract<Action, { kind: 'pay' }>): string {
    const known = order.payments.find(({ id }) => id === action.payment)
    if (known === undefined && action.utrOf !== null) {
      // two numbers for one transfer are one payment if they speak of the same; a failure that names another's transfer contradicts it
      const used = order.payments.find(({ id }) => id === action.utrOf)
      return used?.amount === action.amount ? 'ok' : 'M-UTR'
    }
    const payment =
      known ??
      this.#newPayment(order, {
        amount: action.amount,
        day: action.day ?? this.today,
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
    given: Pick<Payment, 'amount' | 'day' | 'type' | 'by' | 'hasUtr'>,
  ): Payment {
    const payment: Payment = {
      id: this.#payments,
      state: 'inProgress',
      surplus: 0,
      isRecovery: false,
      isReversed: false,
      cleared: new Map(),
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
      const due = order.status === 110 ? order.claim : this.dueOn(order, this.today)
      if (type === 'full' ? amount !== due : amount >= due) return 'M-AMT'
    }
    if (utrOf !== null) return 'M-UTR'
    this.#newPayment(order, {
      amount,
      day: this.today,
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
    // of an exit that comes when the loan has ended otherwise, as of any money then
    if (payment.type !== 'coolingOff' || CLOSED.includes(order.status)) {
      this.#received(order, payment)
      return 'ok'
    }
    if (this.#exitRefused(order, payment.day)) return 'O-RULE'
    for (const plan of order.plans) {
      const interest = this.#exitShare(order, plan, payment.day)
      payment.cleared.set(plan, {
        principal: plan.principal,
        interest,
        fine: 0,
        corrected: 0,
        waived: plan.interest - interest,
      })
      Object.assign(plan, {
        paid: plan.principal + interest,
        waived: plan.interest - interest,
        principal: 0,
        interest: 0,
      })
    }
    Object.assign(order, { status: 40, overdueDays: 0 })
    payment.state = 'success'
    return 'ok'
  }

  /** Fee and fine of money of that day; null where there is no extension. */
  priceExtension(order: Order, day: number): { due: number; fine: number } | null {
    const standing = order.status === 43 ? order.resume : order.status
    const [open, ...others] = this.#asOf(order, day)
    if (
      standing === 90 ||
      order.extensions >= EXTENSION.maxTimes ||
      (order.reduction !== null && isOpen(order.reduction))
    )
      return null
    if (open === undefined || others.length > 0 || open.plan.principal < 1) return null
    const due = portion(open.plan.principal, EXTENSION.fee, 10_000) + open.fine
    return due < 1 ? null : { due, fine: open.fine }
  }

  /** What is open of the loan stands on in an order of its own, due later; nothing else of the old one does. */
  #extend(borrower: Borrower, order: Order, payment: Payment): string {
    const price = this.priceExtension(order, payment.day)
    if (price === null) return 'O-RULE'
    if (payment.amount !== price.due) return 'M-AMT'
    const plan = order.plans.find((one) => owes(one) > 0) as Plan
    const due = Math.max(this.today, plan.due) + EXTENSION.days
    const { principal, interest } = plan
    borrower.order = {
      ...newOrder({ status: 30, amount: principal }),
      disbursedOn: this.today,
      extensions: order.extensions + 1,
      plans: [newPlan({ due, principal, interest })],
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
    if (reduction?.state === 'approved' && payment.day > reduction.validUntil)
      this.#lapse(order, reduction)
    this.#count(order, payment)
  }

  #count(order: Order, payment: Payment): void {
    const standing = order.status === 43 ? order.resume : order.status
    const asOf = this.#asOf(order, payment.day)
    const aside = asideOf(
      order,
      asOf.map((one) => ({ plan: one.plan, fine: one.fine })),
      payment.day,
    )
    const left = new Map(
      asOf.map(({ plan, fine }) => [
        plan,
        {
          principal: plan.principal,
          interest: plan.interest - (aside.get(plan)?.interest ?? 0),
          fine: fine - (aside.get(plan)?.fine ?? 0),
        },
      ]),
    )
    // of a bad debt what was lent comes first, else each instalment whole: fine, interest, principal
    const queue =
      standing === 90
        ? [
            ...asOf.map(({ plan }) => [plan, 'principal'] as const),
            ...asOf.flatMap(
              ({ plan }) =>
                [
                  [plan, 'fine'],
                  [plan, 'interest'],
                ] as const,
            ),
          ]
        : asOf.flatMap(
            ({ plan }) =>
              [
                [plan, 'fine'],
                [plan, 'interest'],
                [plan, 'principal'],
              ] as const,
          )
    let money = payment.amount
    for (const [plan, part] of queue) {
      const open = left.get(plan) as { principal: number; interest: number; fine: number }
      const taken = Math.min(money, open[part])
      if (taken === 0) continue
      money -= taken
      open[part] -= taken
      const cleared = payment.cleared.get(plan) ?? {
        principal: 0,
        interest: 0,
        fine: 0,
        corrected: 0,
        waived: 0,
      }
      cleared[part] += taken
      payment.cleared.set(plan, cleared)
    }
    payment.surplus = money
    const isSettled = total([...left.values()]) === 0
    for (const { plan, fine, taken, daysAfter } of asOf) {
      const cleared = payment.cleared.get(plan) ?? {
        principal: 0,
        interest: 0,
        fine: 0,
        corrected: 0,
        waived: 0,
      }
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
    order.overdueDays = Math.max(
      0,
      ...(open.length === 0 ? order.plans : open).map((plan) => plan.overdueDays),
    )
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
  #asOf(
    order: Order,
    day: number,
  ): { plan: Plan; fine: number; taken: number; daysAfter: number }[] {
    const fineDay = fineDayOf(order, day)
    return order.plans
      .filter((plan) => owes(plan) > 0)
      .map((plan) => {
        const days = plan.fineTo - Math.max(plan.due, fineDay)
        const daysAfter = Math.max(0, days)
        const taken = Math.min(plan.fine, daysAfter * perDay(plan.principal))
        return { plan, fine: plan.fine - taken, taken, daysAfter }
      })
  }

  openFees(order: Order): { fine: number; interest: number; due: number } {
    const asOf = this.#asOf(order, this.today)
    return {
      fine: asOf.reduce((sum, one) => sum + one.fine, 0),
      interest: asOf.reduce((sum, { plan }) => sum + plan.interest, 0),
      due: asOf.reduce((sum, { plan, fine }) => sum + plan.principal + plan.interest + fine, 0),
    }
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
      frozenOn: 0,
      validUntil: this.today + days,
      given: new Map(),
    }
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
      if (
        !order.payments.some((one) => one.state === 'inProgress' && one.day <= reduction.validUntil)
      )
        this.#lapse(order, reduction)
    }
  }

  owedToday(order: Order): number {
    return order.plans.reduce(
      (sum, plan) =>
        sum +
        (owes(plan) === 0
          ? 0
          : owes(plan) + Math.max(0, this.today - plan.fineTo) * perDay(plan.principal)),
      0,
    )
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
    if (payment.isRecovery) return 'O-RULE'
    // a loan that ended with a reduction goes back into arrears alone
    const owedAgain = order.plans.filter(
      (plan) => payment.cleared.has(plan) || order.reduction?.given.has(plan),
    )
    return order.status === 41 &&
      owedAgain.length > 0 &&
      owedAgain.every(({ due }) => this.today <= due)
      ? 'O-RULE'
      : null
  }

  #decideRequest(
    order: Order,
    { request: index, who, result }: Extract<Action, { kind: 'decideRequest' }>,
  ): string {
    const request = order.requests[index] as Request
    // to somebody who neither asked nor may decide it is not there
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
      plan.interest += (back?.interest ?? 0) + (back?.waived ?? 0) + (given?.interest ?? 0)
      plan.fine += (back?.fine ?? 0) + (back?.corrected ?? 0) + (given?.fine ?? 0)
      plan.paid -= back ? back.principal + back.interest + back.fine : 0
      plan.waived -= back?.waived ?? 0
      plan.reduced -= given ? given.interest + given.fine : 0
      if (this.today > plan.due) charge(plan, fineDay)
      plan.overdueDays = Math.max(0, this.today - plan.due)
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
}
