/**
 * The rules about money, implemented a second time and independently of the product: two borrowers
 * with one order at a time, days as plain numbers, and for each action its outcome (`ok` or the id
 * of the refusal) and what is owed after it, in paise and by part.
 */
import {
  type Action,
  BORROWERS,
  COUPONS,
  EXTENSION,
  PENALTIES,
  TERMS,
  type Who,
} from './actions.ts'
import {
  type Borrower,
  CLOSED,
  currentOf,
  discountOf,
  EVENING,
  firstDue,
  type Grant,
  hasOpenPayment,
  isBefore,
  isBusy,
  isOpen,
  isPaying,
  lateDays,
  lateRowDays,
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
  type Settlement,
  total,
  type Transfer,
} from './loan.ts'
import { asideOf, replay, usableBy } from './replay.ts'

const COOL_DOWN_DAYS = 30
const WRITE_OFF_CAP: Partial<Record<Who, number>> = { manager: 2_500_000, director: 20_000_000 }

export class MoneyModel {
  today: number
  readonly borrowers: Borrower[] = Array.from({ length: BORROWERS }, (_, n) => ({
    order: null,
    penalty: PENALTIES[n] ?? PENALTIES[0],
    isBlacklisted: false,
    grants: [],
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
      this.#expireCoupons()
      return 'ok'
    }
    if (action.kind === 'dispatch') {
      for (const { order } of this.borrowers)
        if (order && (order.status === 20 || order.status === 26)) send(order)
      return 'ok'
    }
    const borrower = this.borrowers[action.borrower] as Borrower
    if (action.kind === 'apply') return this.#submit(borrower, action.amount)
    if (action.kind === 'grant') return this.#grant(borrower, action.coupon)
    if (action.kind === 'revokeCoupon') return revoke(borrower.grants[action.coupon] as Grant)
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
        answered(order, action.attempt).state = action.result
        if (action.result === 'success') this.#lend(order)
        else order.status = 31
        return 'ok'
      case 'cancel':
        return this.#move(order, [10, 20, 22, 26], 70)
      case 'cancelDisbursement':
        if (order.status === 31 && isUnclear(order)) return 'O-RULE'
        return this.#move(order, [31], 70)
      case 'redisburse':
        return this.#redisburse(order)
      case 'batchWriteOff':
        return this.#askBatch(order)
      case 'pay':
        return this.#receivePayment(order, action)
      case 'book':
        return this.#book(borrower, order, action)
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
        return this.#requestReversal(order, action.payment)
      case 'cure':
        return this.#askCure(order, action.rows)
      case 'contradict':
        return this.#contradict(order, action)
      case 'contradictPayout':
        contradict(order, action)
        return 'ok'
      case 'keep':
        return this.#askKeep(order, action.payment)
      case 'resolve':
        return this.#askResolution(order, action)
      case 'returnStray':
        return this.#askReturn(order, action)
      case 'decideRequest':
        return this.#decideRequest(order, action)
    }
  }

  /** One unused coupon of a kind each; nobody on the blacklist is given one. */
  #grant(borrower: Borrower, n: number): string {
    const coupon = COUPONS[n] as (typeof COUPONS)[number]
    if (borrower.isBlacklisted) return 'Q-BLACK'
    if (borrower.grants.some((one) => one.coupon === coupon && one.state === 'unused'))
      return 'Q-HAS'
    borrower.grants.push({
      coupon,
      state: 'unused',
      grantedOn: this.today,
      validUntil: this.today + coupon.days,
      amount: 0,
    })
    return 'ok'
  }

  #expireCoupons(): void {
    for (const { grants } of this.borrowers)
      for (const grant of grants)
        if (grant.state === 'unused' && this.today > grant.validUntil) grant.state = 'expired'
  }

  #giveBack(payment: Payment): void {
    const { coupon: grant } = payment
    if (grant === null) return
    payment.coupon = null
    grant.state = this.today > grant.validUntil ? 'expired' : 'unused'
    grant.amount = 0
  }

  /** Paise that settle the loan with money of that day and that coupon. */
  dueWith(order: Order, grant: Grant, day: number | null = null): number {
    const open = this.#openOn(order, day)
    return total(open) - discountOf(grant, open, Number.MAX_SAFE_INTEGER)
  }

  /** Open instalments as they stood late on a day, with what came before; null = now. */
  #openOn(order: Order, day: number | null): Plan[] {
    if (day === null) return order.plans.filter((plan) => owes(plan) > 0)
    const payments = order.payments.filter(({ at }) => !isBefore([day, EVENING], at))
    return replay({ ...order, payments }, day).plans.filter((plan) => owes(plan) > 0)
  }

  /** Why such a payment may not use the coupon; null when it may. */
  #couponRefused(
    order: Order,
    grant: Grant,
    { type, amount, day }: Extract<Action, { kind: 'book' }>,
  ): string | null {
    const paidOn = day ?? this.today
    if (!RUNNING.includes(order.status) || (type !== 'full' && type !== 'partial')) return 'Q-FIT'
    if (order.reduction !== null && isOpen(order.reduction)) return 'Q-FIT'
    if (grant.state !== 'unused') return 'Q-STATE'
    if (paidOn < grant.grantedOn || paidOn > grant.validUntil || amount < grant.coupon.least)
      return 'Q-FIT'
    const open = this.#openOn(order, day)
    return discountOf(grant, open, amount) === 0 ? 'Q-FIT' : null
  }

  /** Paise that settle the loan with money of that day; null = now. */
  dueOn(order: Order, day: number | null = null): number {
    const open = this.#openOn(order, day)
    const reduction = this.#usableOn(order, day)
    const aside = reduction === undefined ? [] : asideOf(reduction, open)
    return total(open) - aside.reduce((sum, one) => sum + one.fine + one.interest, 0)
  }

  #usableOn({ reduction, reductions }: Order, day: number | null): Reduction | undefined {
    if (day === null)
      return reduction?.state === 'approved' && this.today <= reduction.validUntil
        ? reduction
        : undefined
    const agreed = reductions.filter((one) => one.approvedAt !== null && !one.isVoid)
    return usableBy({ at: [day, EVENING], day, receivedAt: this.#now() }, agreed)
  }

  /** The whole reported history of the loan is replayed. */
  #refresh(order: Order): boolean {
    const { plans, surplus, couponed, isBad } = replay(order, this.today)
    for (const [i, plan] of plans.entries()) Object.assign(order.plans[i] as Plan, plan)
    for (const [payment, paise] of surplus) payment.surplus = paise
    for (const [{ coupon: grant }, paise] of couponed) if (grant !== null) grant.amount = paise
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
    if (isUnclear(order) || order.attempts >= TERMS.maxAttempts) return 'O-RULE'
    if (order.amount - portion(order.amount, TERMS.serviceRate, 10_000) <= TERMS.checkAbove)
      return this.#sendAgain(order)
    return this.#ask(order, 'redisburse', null)
  }

  #sendAgain(order: Order): string {
    if (order.status !== 31) return 'O-STATE'
    if (isUnclear(order) || order.attempts >= TERMS.maxAttempts) return 'O-RULE'
    send(order)
    return 'ok'
  }

  #ask(
    order: Order,
    kind: Request['kind'],
    payment: Payment | null,
    more: Pick<Request, 'transfer' | 'plan' | 'returned'> = {},
  ): string {
    const isSame = (one: Request) =>
      one.kind === kind && one.payment === payment && one.transfer === more.transfer
    if (
      kind !== 'batchWriteOff' &&
      order.requests.some((one) => isSame(one) && one.state === 'pending')
    )
      return 'A-OPEN'
    order.requests.push({ kind, payment, ...more, state: 'pending' })
    return 'ok'
  }

  #askCure(order: Order, rows: Settlement['rows']): string {
    const refused = cureRefused(order)
    if (refused !== null) return refused
    const isInOrder = rows.every(({ due }, n) => due >= this.today && due > (rows[n - 1]?.due ?? 0))
    const sum = rows.reduce((paise, { amount }) => paise + amount, 0)
    if (!isInOrder || sum !== this.dueOn(order)) return 'G-FIELD'
    return this.#ask(order, 'cure', null, { plan: { rows, asOf: this.today } })
  }

  /** Of what was owed when it was asked for: fines of the days since are not. */
  #cure(order: Order, { rows, asOf }: Pick<Settlement, 'rows' | 'asOf'>): string | null {
    const refused = cureRefused(order)
    if (refused !== null) return refused
    const since = order.plans
      .filter((plan) => owes(plan) > 0)
      .flatMap(({ fines }) => fines)
      .reduce((paise, [day, fine]) => paise + (day > asOf ? fine : 0), 0)
    const sum = rows.reduce((paise, { amount }) => paise + amount, 0)
    if (rows.some(({ due }) => due < this.today) || total(order.plans) - since !== sum)
      return 'O-RULE'
    order.settlements.push({ state: 'current', rows, asOf, startedAt: this.#now(), endedAt: null })
    this.#refresh(order)
    Object.assign(order, { status: 50, overdueDays: 0 })
    return null
  }

  #endSettlement(order: Order, state: Settlement['state'], endedAt: Moment = this.#now()): void {
    const settlement = currentOf(order)
    if (settlement !== null) Object.assign(settlement, { state, endedAt })
  }

  /** Money that did not arrive arrived after all; money that arrived did not: two people decide. */
  #contradict(
    order: Order,
    { payment: id, result }: Extract<Action, { kind: 'contradict' }>,
  ): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    if (payment.state === 'fail' && result === 'success') this.#received(order, payment)
    else if (payment.state === 'success' && result === 'fail' && !payment.isReversed)
      payment.isContradicted = true
    return 'ok'
  }

  #askKeep(order: Order, id: number): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    if (!payment.isContradicted) return 'O-RULE'
    return this.#ask(order, 'paymentStands', payment)
  }

  #askResolution(order: Order, { attempt, type }: Extract<Action, { kind: 'resolve' }>): string {
    const transfer = answered(order, attempt)
    if (transfer.outcome !== 'open') return 'O-RULE'
    const kind = type === 'paid' ? 'transferPaid' : 'transferNotPaid'
    return this.#ask(order, kind, null, { transfer })
  }

  #askReturn(order: Order, { attempt, amount }: Extract<Action, { kind: 'returnStray' }>): string {
    const transfer = answered(order, attempt)
    if (transfer.stray === 0) return 'O-RULE'
    if (amount > transfer.stray) return 'G-FIELD'
    return this.#ask(order, 'strayReturned', null, { transfer, returned: amount })
  }

  /** The money left with an attempt that was called failed: it opens the loan, or left beside it. */
  #paidAfterAll(order: Order, transfer: Transfer): void {
    if (transfer.state === 'success') return
    const other = order.transfers.find(({ state }) => state === 'inProgress')
    if (other !== undefined) other.state = 'fail'
    else if (order.status !== 31) {
      transfer.stray = order.amount - portion(order.amount, TERMS.serviceRate, 10_000)
      return
    }
    transfer.state = 'success'
    this.#lend(order)
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
      isReversed: false,
      isCredit: false,
      isContradicted: false,
      coupon: null,
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
    this.#giveBack(payment)
    if (order.status !== 43 || isPaying(order)) return
    order.status = order.resume === 90 ? 90 : this.today > firstDue(order) ? 50 : 30
  }

  #book({ grants }: Borrower, order: Order, action: Extract<Action, { kind: 'book' }>): string {
    const { who, type, amount, day, utrOf } = action
    const grant = action.coupon === null ? null : (grants[action.coupon] as Grant)
    if (who === 'director') return 'G403'
    if (!RUNNING.includes(order.status) && order.status !== 110) return 'O-STATE'
    if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
    const unfit = grant === null ? null : this.#couponRefused(order, grant, action)
    if (unfit !== null) return unfit
    if (type === 'coolingOff') {
      if (this.#exitRefused(order, day ?? this.today)) return 'O-RULE'
      if (amount !== this.exitDue(order, day)) return 'M-AMT'
    } else if (type === 'rollover') {
      const price = this.priceExtension(order, day ?? this.today)
      if (price === null) return 'O-RULE'
      if (amount !== price.due) return 'M-AMT'
    } else {
      const due =
        grant !== null
          ? this.dueWith(order, grant, day)
          : order.status === 110
            ? order.claim
            : this.dueOn(order, day)
      if (type === 'full' ? amount !== due : amount >= due) return 'M-AMT'
    }
    if (utrOf !== null) return 'M-UTR'
    const payment = this.#newPayment(order, {
      amount,
      day,
      type: type === 'coolingOff' || type === 'rollover' ? type : 'staff',
      by: who,
      hasUtr: true,
    })
    if (grant !== null) {
      payment.coupon = grant
      grant.state = 'used'
    }
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
      (order.reduction !== null && isOpen(order.reduction)) ||
      currentOf(order) !== null
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

  exitDue(order: Order, day: number | null = null): number {
    const last = Math.min(day ?? this.today, order.disbursedOn + 6)
    return order.plans.reduce(
      (sum, plan) => sum + plan.principal + this.#exitShare(order, plan, last),
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
    payment.isCredit = true
    this.#giveBack(payment)
  }

  #count(order: Order): void {
    const standing = order.status === 43 ? order.resume : order.status
    const { used } = replay(order, this.today)
    const isBad = this.#refresh(order)
    const open = order.plans.filter((plan) => owes(plan) > 0)
    order.overdueDays =
      open.length === 0
        ? Math.max(0, ...order.plans.map((plan) => plan.overdueDays))
        : lateDays(order, this.today)
    if (open.length > 0) {
      order.status = standing === 90 && isBad ? 90 : this.today > firstDue(order) ? 50 : 30
      if (order.status === 30) this.#endSettlement(order, 'kept')
      if (isPaying(order)) this.#submitted(order)
      return
    }
    order.status = used === null ? 40 : 41
    this.#endSettlement(order, 'kept')
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
    if (currentOf(order) !== null) return 'O-RULE'
    if (fine + interest < 1) return 'G-FIELD'
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
    order.endedOn = this.today
    this.#endSettlement(order, 'ended')
  }

  /** A clerk strikes the payment out and writes off what was open without it on that day. */
  #giveUpAgain(order: Order): void {
    const { plans, surplus, couponed } = replay(order, order.endedOn)
    for (const [i, plan] of plans.entries()) {
      const stored = order.plans[i] as Plan
      if (order.status === 110) order.claim += owes(plan) - stored.waived
      const given = { waived: owes(plan), principal: 0, interest: 0, fine: 0 }
      Object.assign(stored, plan, given)
    }
    for (const [one, paise] of surplus) one.surplus = paise
    for (const [{ coupon: grant }, paise] of couponed) if (grant !== null) grant.amount = paise
  }

  #requestReversal(order: Order, id: number): string {
    const payment = order.payments.find((one) => one.id === id) as Payment
    const refused = this.#reversalRefused(order, payment)
    return refused ?? this.#ask(order, 'reversePayment', payment)
  }

  #reversalRefused(order: Order, payment: Payment): string | null {
    if (payment.state !== 'success' || payment.isReversed) return 'M-STATE'
    if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
    // What settled nothing may be taken back from any order.
    if (payment.isCredit) return null
    if (![30, 40, 41, 50, 90, 100, 110].includes(order.status)) return 'O-STATE'
    // A loan that ended with a reduction goes back into arrears alone.
    if (order.status !== 41) return null
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

  #carryOut(order: Order, { kind, payment, transfer, plan, returned = 0 }: Request): string | null {
    if (kind === 'redisburse') {
      const sent = this.#sendAgain(order)
      return sent === 'ok' ? null : sent
    }
    if (kind === 'batchWriteOff') {
      // A job processes the rows: a row that changed meanwhile is skipped.
      if ([50, 90].includes(order.status) && !isBusy(order)) this.#giveUp(order, 110)
      return null
    }
    if (kind === 'cure') return this.#cure(order, plan as NonNullable<Request['plan']>)
    if (kind === 'transferPaid' || kind === 'transferNotPaid') {
      const told = transfer as Transfer
      if (told.outcome !== 'open') return 'O-RULE'
      if (kind === 'transferPaid') this.#paidAfterAll(order, told)
      told.outcome = kind === 'transferPaid' ? 'paid' : 'notPaid'
      return null
    }
    if (kind === 'strayReturned') {
      ;(transfer as Transfer).stray -= returned
      return null
    }
    const taken = payment as Payment
    if (kind === 'paymentStands') {
      if (!taken.isContradicted) return 'O-RULE'
      taken.isContradicted = false
      return null
    }
    const refused = this.#reversalRefused(order, taken)
    if (refused !== null) return refused
    this.#takeOut(order, taken)
    return null
  }

  #takeOut(order: Order, payment: Payment): void {
    payment.isContradicted = false
    const used = usedOf(order)
    if (order.exit === payment) {
      order.exit = null
      payment.isReversed = true
      this.#refresh(order)
    } else if (payment.isCredit || order.exit !== null) {
      payment.isReversed = true
      if (order.status === 110) order.claim += payment.amount - payment.surplus
    } else if (order.status === 100 || order.status === 110) {
      payment.isReversed = true
      this.#giveUpAgain(order)
    } else {
      const { isVoid } = this.#without(order, payment)
      payment.isReversed = true
      if (isVoid && used !== null) used.isVoid = true
      this.#refresh(order)
    }
    this.#giveBack(payment)
    if (total(order.plans) === 0) return
    const isLate = this.today > firstDue(order)
    order.overdueDays = lateDays(order, this.today)
    if (CLOSED.includes(order.status)) order.status = isLate ? 50 : 30
    else if (order.status === 30 && isLate) order.status = 50
  }

  #openDay(): void {
    this.today += 1
    for (const { order } of this.borrowers) {
      if (!order || !RUNNING.includes(order.status)) continue
      const settlement = currentOf(order)
      const isMissed =
        settlement !== null && order.status !== 43 && lateRowDays(settlement, order, this.today) > 0
      if (isMissed) this.#endSettlement(order, 'broken', [this.today, 0])
      this.#refresh(order)
      order.overdueDays = lateDays(order, this.today)
      if (order.status === 30 && order.overdueDays > 0) order.status = 50
      if (order.status === 50 && order.overdueDays >= TERMS.badDebtDays) order.status = 90
    }
  }
}

/** The reduction the loan was repaid with. */
function usedOf({ reductions }: Order): Reduction | null {
  return reductions.find((one) => one.state === 'used' && !one.isVoid) ?? null
}

function revoke(grant: Grant): string {
  if (grant.state === 'used') return 'Q-USED'
  if (grant.state !== 'unused') return 'Q-STATE'
  grant.state = 'revoked'
  return 'ok'
}

/** Why the loan cannot be paid in parts now; null when it can. */
function cureRefused(order: Order): string | null {
  if (order.status === 43 && order.resume === 90) return 'M-OPEN'
  if (order.status !== 90) return 'O-STATE'
  return isBusy(order) ? 'M-OPEN' : null
}

function send(order: Order): void {
  order.status = 29
  order.attempts += 1
  const { attempts: attempt } = order
  order.transfers.push({ attempt, state: 'inProgress', said: null, outcome: null, stray: 0 })
}

function answered({ transfers }: Order, attempt: number): Transfer {
  return transfers.find((one) => one.attempt === attempt) as Transfer
}

/** Money may have left with an attempt, so nothing more is paid out. */
function isUnclear({ transfers }: Order): boolean {
  return transfers.some(
    ({ state, outcome }) => state !== 'fail' || outcome === 'open' || outcome === 'paid',
  )
}

/** A vendor that says the same again says nothing. */
function contradict(
  order: Order,
  { attempt, result }: Extract<Action, { kind: 'contradictPayout' }>,
): void {
  const transfer = answered(order, attempt)
  if (transfer.state === result || transfer.said === result) return
  Object.assign(transfer, { said: result, outcome: 'open' })
}
