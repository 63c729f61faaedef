/**
 * Random lives of EMI loans, side by side on one calendar: on the model and on the product, with
 * reductions, settlement plans and coupons. After each report its loan, and after each move of the
 * clock every loan, is the same on both, and the books are the fold over their history.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { EmiLoan } from './emi-loan.ts'
import { EmiSite, type StoredLoan } from './emi-site.ts'
import { compare, type Fees, type Grant, type Moment, owes, type Payment } from './emi-papers.ts'

/** At most so many lives share a database and a calendar. */
const LIVES_A_SITE = 200
const MOVES = 6
/** What happens at the product comes after all values of its day. */
const EVENING = 1_000_000
const KINDS = [
  'part',
  'part',
  'instalment',
  'instalment',
  'ahead',
  'ahead',
  'payoff',
  'book',
  'bookFull',
  'fail',
  'tell',
  'reverse',
  'writeOff',
  'exit',
  'reduce',
  'reduce',
  'revoke',
  'cure',
  'cure',
  'grant',
  'withCoupon',
  'withCoupon',
] as const

interface Act {
  kind: (typeof KINDS)[number]
  /** Thousandths of what is meant. */
  share: number
  /** Days ago. */
  late: number
  isLower: boolean
  dice: number
}

const act = fc.record<Act>({
  kind: fc.constantFrom(...KINDS),
  share: fc.integer({ min: 1, max: 1_000 }),
  late: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 70 })),
  isLower: fc.boolean(),
  dice: fc.nat(99),
})

const life = fc.record({
  amount: fc.integer({ min: 500_000, max: 1_500_000 }),
  instalments: fc.constantFrom(2, 3, 3, 6),
  /** One at most after each move. */
  acts: fc.array(fc.option(act, { freq: 3 }), { minLength: MOVES, maxLength: MOVES }),
})

/** Lives side by side; days between two moves: three weeks, so that many instalments are late. */
function historyOf(lives: number) {
  return fc.record({
    days: fc.array(fc.integer({ min: 17, max: 26 }), { minLength: MOVES, maxLength: MOVES }),
    lives: fc.array(life, { minLength: lives, maxLength: lives }),
  })
}

interface Life {
  orderId: string
  loan: EmiLoan
  records: Map<Payment, string>
  /** Reported as failed; the money may come yet. */
  failed: { payment: Payment; n: number }[]
  steps: string[]
}

/** @returns how often what happened */
export async function proveEmi(lives: number): Promise<Map<string, number>> {
  const tally = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(historyOf(Math.min(lives, LIVES_A_SITE)), async (given) => {
      const site = await EmiSite.open()
      try {
        await play(site, given, tally)
      } finally {
        await site.close()
      }
    }),
    { numRuns: Math.ceil(lives / LIVES_A_SITE), endOnFailure: true },
  )
  return tally
}

type History = ReturnType<typeof historyOf> extends fc.Arbitrary<infer T> ? T : never

async function play(site: EmiSite, given: History, tally: Map<string, number>): Promise<void> {
  const lives: Life[] = []
  for (const { amount, instalments } of given.lives) {
    const orderId = await site.lend(amount, instalments)
    const loan = new EmiLoan({ amount, instalments, paidOut: site.today })
    const steps = [`${amount} in ${instalments} on day ${site.today}`]
    lives.push({ orderId, loan, records: new Map(), failed: [], steps })
  }
  let place = 0
  for (const [move, days] of given.days.entries()) {
    for (let n = 1; n <= days; n += 1) for (const { loan } of lives) loan.openDay(site.today + n)
    for (const { loan } of lives) loan.expire([site.today + days, EVENING])
    await site.passDays(days)
    await compareAll(site, lives, `day ${site.today}`)
    for (const [i, life] of lives.entries()) {
      const one = given.lives[i]?.acts[move] ?? null
      if (one === null) continue
      place += 1
      const done = await perform(site, life, one, place)
      if (done === null) continue
      life.steps.push(done)
      const name = done.split(' ')[0] as string
      tally.set(name, (tally.get(name) ?? 0) + 1)
      tally.set(`in ${life.loan.status}`, (tally.get(`in ${life.loan.status}`) ?? 0) + 1)
      await compareAll(site, [life], done)
    }
    const running = lives.filter(({ loan }) => loan.isRunning || move === MOVES - 1)
    expect(await site.foldFaults(running.map(({ orderId }) => orderId))).toEqual([])
  }
  expect(await brokenInvariants(site.database)).toEqual([])
}

async function compareAll(site: EmiSite, lives: readonly Life[], done: string): Promise<void> {
  const stored = await site.stored(lives.map(({ orderId }) => orderId))
  for (const [n, life] of lives.entries())
    expect(stored[n], [done, life.orderId, ...life.steps].join('\n')).toEqual(expectedOf(life.loan))
}

function expectedOf(loan: EmiLoan): StoredLoan {
  return {
    status: loan.status,
    overdueDays: loan.overdueDays,
    outstanding: loan.owed,
    rows: loan.rows
      .map(({ due, principal, interest, service, open, fined, reduced, given }) => ({
        due,
        principal,
        interest,
        bounced: service,
        open,
        fined,
        reduced,
        ...given,
      }))
      .toSorted(
        (one, other) =>
          one.due - other.due || one.principal - other.principal || one.interest - other.interest,
      ),
    surpluses: loan.payments
      .filter(({ isReversed }) => !isReversed)
      .toSorted((one, other) => compare(one.at, other.at))
      .map(({ surplus }) => surplus),
    reductions: loan.reductions.map(({ state }) => state),
    settlements: loan.settlements.map(({ state }) => state),
    coupons: loan.grants.map(({ state, amount }) => ({ state, amount })),
  }
}

/** @returns what was done, for a person to read; null when it has no place here */
async function perform(
  site: EmiSite,
  life: Life,
  given: Act,
  place: number,
): Promise<string | null> {
  const { loan, orderId } = life
  const day = Math.max(loan.agreed.paidOut, site.today - given.late)
  const at: Moment = [day, place]
  const now: Moment = [site.today, EVENING + place]
  const payment = newPayment(at)
  switch (given.kind) {
    case 'part':
    case 'instalment':
    case 'ahead':
    case 'payoff':
    case 'fail': {
      if (!isPayable(loan)) return null
      const isAhead = given.kind === 'ahead'
      payment.amount = amountOf(loan, given, at, now)
      payment.isLower = isAhead && given.dice % 3 > 0 ? given.isLower : null
      const isBounced = given.dice % 4 > 0
      const result = given.kind !== 'fail' ? 'success' : isBounced ? 'bounced' : 'fail'
      const sent = { at, amount: payment.amount, ahead: aheadOf(payment), result } as const
      const recordId = await site.pay(orderId, place, sent)
      life.records.set(payment, recordId)
      if (result !== 'success') life.failed.push({ payment, n: place })
      if (result === 'bounced') loan.bounce(payment, site.today)
      if (result === 'success') loan.receive(payment, now)
      const name = result === 'bounced' ? result : given.kind
      return `${name} ${payment.amount} of ${day} ${aheadOf(payment) ?? ''}`
    }
    case 'tell': {
      const failed = life.failed.shift()
      if (failed === undefined || !isPayable(loan)) return null
      const { payment: late, n } = failed
      const sent = { at: late.at, amount: late.amount, ahead: aheadOf(late) }
      await site.pay(orderId, n, { ...sent, result: 'success' })
      loan.receive(late, now)
      return `tell ${late.amount} of ${late.at[0]}`
    }
    case 'book':
    case 'bookFull': {
      if (!loan.isRunning) return null
      const due = loan.dueAt(at, now)
      const isFull = given.kind === 'bookFull'
      payment.amount = isFull ? due : Math.floor((due * given.share) / 1_001)
      if (payment.amount < 1) return null
      payment.isLower = !isFull && given.dice % 3 === 0 ? given.isLower : null
      const type = isFull ? 'full' : 'partial'
      const sent = { at, amount: payment.amount, ahead: aheadOf(payment), type } as const
      life.records.set(payment, await site.book(orderId, place, sent))
      loan.receive(payment, now)
      return `${given.kind} ${payment.amount} of ${day} ${aheadOf(payment) ?? ''}`
    }
    case 'reverse': {
      const known = loan.payments.filter(({ isReversed }) => !isReversed)
      const taken = known[given.dice % Math.max(1, known.length)]
      if (taken === undefined || !loan.mayTakeBack(taken, site.today)) return null
      await site.takeBack(life.records.get(taken) as string)
      loan.takeBack(taken, site.today)
      return `reverse ${taken.amount} of ${taken.at[0]}`
    }
    case 'writeOff': {
      if (!loan.isRunning || loan.openReduction !== null || given.dice % 4 > 0) return null
      await site.writeOff(orderId, loan.owed)
      loan.writeOff(now)
      return `writeOff on ${site.today}`
    }
    case 'exit': {
      const isEarly = loan.status === 30 && site.today - loan.agreed.paidOut <= 30
      const isPaid = loan.rows.some((row) => row.given.paid > 0)
      if (!isEarly || isPaid) return null
      const amount = loan.exit(site.today)
      const sent = { at: [site.today, place] as const, amount, ahead: null }
      await site.book(orderId, place, { ...sent, type: 'coolingOff' })
      return `exit with ${amount}`
    }
    default:
      return agree(site, life, given, { at, now, place })
  }
}

/** What people agree with the borrower. */
async function agree(
  site: EmiSite,
  { loan, orderId, records }: Life,
  { kind, share, dice }: Act,
  { at, now, place }: { at: Moment; now: Moment; place: number },
): Promise<string | null> {
  switch (kind) {
    case 'reduce': {
      const isLate = loan.status === 50 || loan.status === 90
      if (!isLate || loan.openReduction !== null || loan.settlement !== null) return null
      const { fees, due } = loan.feesOn(site.today)
      const items = partOf(fees, share)
      const amount = items.fine + items.service + items.interest
      if (amount < 1 || due - amount < 1) return null
      const last = site.today + (dice % 8)
      await site.reduce(orderId, items, last)
      loan.reduce(items, last, now)
      return `reduce ${amount} to ${last} on ${site.today}`
    }
    case 'revoke': {
      if (loan.openReduction === null) return null
      await site.revoke(orderId)
      loan.revoke(now)
      return `revoke on ${site.today}`
    }
    case 'cure': {
      if (loan.status !== 90 || loan.openReduction !== null) return null
      const due = loan.dueAt([site.today, EVENING], now)
      const first = Math.floor((due * share) / 1_000)
      const rows = [first, due - first]
        .filter((amount) => amount > 0)
        .map((amount, n) => ({ due: site.today + (dice % 30) + 25 * n, amount }))
      await site.cure(orderId, rows)
      loan.cure(rows, now)
      return `cure ${rows.map(({ due: day, amount }) => `${amount} to ${day}`).join(', ')}`
    }
    case 'grant':
    case 'withCoupon': {
      if (!loan.isRunning) return null
      const unused = loan.grants.find(({ state }) => state === 'unused')
      if (unused !== undefined && kind === 'withCoupon')
        return payWith(site, { loan, orderId, records }, unused, { at, now, place, share })
      const n = dice % 3
      if (unused !== undefined) return null
      await site.grant(orderId, n)
      const grant = loan.grant(n, site.today)
      const paid = { at: [site.today, place] as const, now, place, share }
      return kind === 'grant'
        ? `grant ${n} on ${site.today}`
        : ((await payWith(site, { loan, orderId, records }, grant, paid)) ??
            `grant ${n} on ${site.today}`)
    }
    default:
      return null
  }
}

async function payWith(
  site: EmiSite,
  { loan, orderId, records }: Pick<Life, 'loan' | 'orderId' | 'records'>,
  coupon: Grant,
  { at, now, place, share }: { at: Moment; now: Moment; place: number; share: number },
): Promise<string | null> {
  const payment = newPayment(at)
  const due = loan.dueAt(at, now, coupon)
  const isFull = share % 3 === 0
  payment.amount = isFull ? due : Math.floor((due * share) / 1_001)
  if (payment.amount < 1 || !loan.fits(coupon, payment)) return null
  const sent = { at, amount: payment.amount, ahead: null } as const
  const type = isFull ? 'full' : 'partial'
  records.set(
    payment,
    await site.book(orderId, place, { ...sent, type, coupon: loan.grants.indexOf(coupon) }),
  )
  payment.coupon = coupon
  coupon.state = 'used'
  loan.receive(payment, now)
  return `withCoupon ${payment.amount} of ${at[0]}`
}

/** Fines first, then service, then interest, each whole before the next. */
function partOf(fees: Fees, share: number): Fees {
  let left = Math.floor(((fees.fine + fees.service + fees.interest) * share) / 1_000)
  const take = (paise: number) => {
    const taken = Math.min(left, paise)
    left -= taken
    return taken
  }
  return { fine: take(fees.fine), service: take(fees.service), interest: take(fees.interest) }
}

function isPayable({ status }: EmiLoan): boolean {
  return [30, 40, 41, 50, 90].includes(status)
}

function newPayment(at: Moment): Payment {
  return {
    at,
    amount: 0,
    isLower: null,
    isReversed: false,
    isCredit: false,
    surplus: 0,
    receivedAt: at,
    coupon: null,
  }
}

function aheadOf({ isLower }: Payment): 'lowerInstalments' | 'fewerInstalments' | null {
  return isLower === null ? null : isLower ? 'lowerInstalments' : 'fewerInstalments'
}

function amountOf(loan: EmiLoan, { kind, share }: Act, at: Moment, now: Moment): number {
  const due = loan.dueAt(at, now)
  const next = loan.rows.find((row) => owes(row) > 0)
  const one = next === undefined ? 10_000 : owes(next)
  if (kind === 'payoff') return Math.max(1, due + (share % 3 === 0 ? share : 0))
  if (kind === 'instalment') return Math.max(1, one)
  const whole = kind === 'ahead' ? due : 2 * one
  return Math.max(1, Math.floor((whole * share) / 1_000))
}
