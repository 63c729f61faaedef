/**
 * The loans of one borrower, one after the other: an application is made only when the one before
 * has ended.
 */
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import { HOUR, isClosed, type Life, MINUTE, newLife, SECOND, type World } from './life.ts'
import { channelOf } from './channel-of.ts'
import { serviceEmi } from './emi-life.ts'
import { EMI_CONFIGS, newEmiLife } from './emi-terms.ts'
import { isStricter, riskWeights, seasonal } from './market.ts'
import { APPS, PRODUCTS, type Product } from './products.ts'
import { type Rng, rngOf } from './random.ts'
import {
  askForData,
  claim,
  decide,
  escalate,
  failPostCheck,
  offerHandover,
  openClaim,
} from './review-life.ts'
import type { Desk, Script } from './scripts.ts'
import { type Repaying, service } from './servicing.ts'
import { drawFate, type Fate, underwrite, UNDERWRITING_MOST } from './underwriting.ts'

export const BOOK_DAYS = 150
const MOST_ORDERS = 12

export interface Borrower {
  index: number
  appId: (typeof APPS)[number]['id']
  registeredAt: number
  lives: Life[]
  hasBoundCard: boolean
  /** Registered, but never submitted documents. */
  isCertified: boolean
  /** Was granted credit and borrowed nothing. */
  hasOffer: boolean
}

export function borrowerOf(
  seed: number,
  index: number,
  customers: number,
  world: World,
  script: Script | undefined,
): Borrower {
  const rng = rngOf(seed, 'borrower', index)
  // earlier ones are a little denser, so that most have had time to borrow
  const dayIn = Math.floor(BOOK_DAYS * (index / customers) ** 1.5)
  const drawnDay = seasonal(addDays(world.today, dayIn - BOOK_DAYS), rng)
  const firstDay = drawnDay > world.today ? world.today : drawnDay
  const registeredAt = Math.min(onDay(firstDay, rng), world.asOf - 31 * MINUTE)
  const borrower: Borrower = {
    index,
    appId: rng.pick(APPS).id,
    registeredAt,
    lives: [],
    hasBoundCard: true,
    isCertified: true,
    hasOffer: false,
  }
  if (script) arranged(borrower, rng, world, script)
  else if (rng.chance(0.04)) borrower.isCertified = borrower.hasOffer = index % 3 === 0
  else unarranged(borrower, rng, world, channelOf(seed, index))
  return borrower
}

function unarranged(borrower: Borrower, rng: Rng, world: World, channelId: string): void {
  const risk = rng.weighted(riskWeights(channelId))
  let at = borrower.registeredAt + rng.int(5, 90) * MINUTE
  while (borrower.lives.length < MOST_ORDERS && at < world.asOf - UNDERWRITING_MOST) {
    const isKnown = borrower.lives.some((life) => life.disbursedAt !== null)
    const product = productOf(borrower, rng.weighted(isKnown ? [52, 33, 15] : [72, 21, 7]))
    const life = newLife(at, product, amountFor(product, rng, isKnown), [
      isKnown ? 'reLoan' : 'firstLoan',
    ])
    const isRefused = isStricter(at, world.today) && rng.chance([0.05, 0.35, 0.7][risk] ?? 0)
    const fate: Fate = isRefused ? { end: 'autoFailed' } : drawFate(rng)
    underwrite(life, rng, world, fate)
    borrower.lives.push(life)
    const last =
      fate.end === 'loan'
        ? serve(borrower, life, rng, world, drawRepaying(rng, product, risk))
        : life
    if (!isClosed(last.status) || last.blacklistedAt !== null || last.status === 110) return
    const wasRefused = last.disbursedAt === null
    if (!rng.chance(wasRefused ? 0.7 : 0.95)) return
    const gap = wasRefused ? rng.int(10, 30) : Math.floor(-Math.log(1 - rng.next()) * 3)
    at = onDay(seasonal(addDays(istDay(last.closedAt as number), gap + 1), rng), rng)
  }
}

function arranged(borrower: Borrower, rng: Rng, world: World, script: Script): void {
  if (script.kind === 'emi') return arrangedEmi(borrower, rng, world, script)
  const product = productOf(borrower, script.kind === 'loan' ? 0 : rng.weighted([60, 28, 12]))
  const createdAt =
    script.kind === 'loan'
      ? onDay(addDays(world.today, -script.dueAgo - product.tenureDays), rng)
      : world.asOf - script.age
  borrower.registeredAt = Math.min(borrower.registeredAt, createdAt - 20 * MINUTE)
  history(borrower, rng, world, createdAt)
  const isKnown = borrower.lives.length > 0
  const tags = [isKnown ? 'reLoan' : 'firstLoan']
  const life =
    script.kind === 'application' && script.emi
      ? emiLife(borrower, rng, createdAt, tags)
      : newLife(createdAt, product, amountFor(product, rng, isKnown), tags)
  borrower.lives.push(life)
  if (script.kind === 'application') {
    underwrite(life, rng, world, script.fate)
    if (script.desk) atDesk(life, rng, world, script.desk)
    borrower.hasBoundCard = script.unbound !== true
    return
  }
  underwrite(life, rng, world, {
    end: 'loan',
    route: script.manual ? 'manual' : 'auto',
    failedAttempts: 0,
  })
  serve(borrower, life, rng, world, script.how)
}

function arrangedEmi(
  borrower: Borrower,
  rng: Rng,
  world: World,
  { appId, fallen, instalments, how }: Script & { kind: 'emi' },
): void {
  borrower.appId = appId
  const from = dueDayBefore(world.today, EMI_CONFIGS[appId].dueDay, fallen)
  const createdAt = onDay(addDays(from, -rng.int(2, 24)), rng)
  borrower.registeredAt = Math.min(borrower.registeredAt, createdAt - 20 * MINUTE)
  history(borrower, rng, world, createdAt)
  const tags = [borrower.lives.length > 0 ? 'reLoan' : 'firstLoan']
  const life = emiLife(borrower, rng, createdAt, tags, instalments)
  borrower.lives.push(life)
  const route = rng.chance(0.5) ? 'manual' : 'auto'
  underwrite(life, rng, world, { end: 'loan', route, failedAttempts: 0 })
  serviceEmi(life, rng, world, how)
}

/** Between the least of the product and ₹60,000 more. */
function emiLife(
  { appId }: Borrower,
  rng: Rng,
  createdAt: number,
  tags: string[],
  instalments: number = rng.pick(EMI_CONFIGS[appId].instalments),
): Life {
  const amount = EMI_CONFIGS[appId].minAmount + rng.int(0, 12) * 500_000
  return newEmiLife(createdAt, appId, { amount, instalments }, tags)
}

/** The due day so many months before the last one that has come. */
function dueDayBefore(today: string, dueDay: number, months: number): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const back = months + (day < dueDay ? 1 : 0)
  return new Date(Date.UTC(year, month - 1 - back, dueDay)).toISOString().slice(0, 10)
}

/**
 * Runs a loan and those that follow it by rollover, at most two.
 * @returns the last one
 */
function serve(borrower: Borrower, life: Life, rng: Rng, world: World, how: Repaying): Life {
  let last = life
  let next = service(life, rng, world, how)
  for (let n = 1; next; n += 1) {
    borrower.lives.push(next)
    last = next
    next = service(
      next,
      rng,
      world,
      n < 2 ? drawRepaying(rng, next.product, 1) : { lateness: [rng.int(-2, 6)] },
    )
  }
  return last
}

/** Up to two short loans, repaid on time, before what was arranged. */
function history(borrower: Borrower, rng: Rng, world: World, until: number): void {
  const product = productOf(borrower, 0)
  let at = borrower.registeredAt + rng.int(5, 15) * MINUTE
  while (
    borrower.lives.length < 2 &&
    rng.chance(0.6) &&
    at + (product.tenureDays + 4) * 24 * HOUR < until
  ) {
    const life = newLife(at, product, amountFor(product, rng, false), [
      borrower.lives.length > 0 ? 'reLoan' : 'firstLoan',
    ])
    underwrite(life, rng, world, {
      end: 'loan',
      route: rng.chance(0.4) ? 'manual' : 'auto',
      failedAttempts: 0,
    })
    service(life, rng, world, { lateness: [rng.int(-2, 0)] })
    borrower.lives.push(life)
    at = onDay(addDays(istDay(life.closedAt as number), rng.int(1, 6)), rng)
  }
}

function atDesk(life: Life, rng: Rng, world: World, desk: Desk): void {
  const { review } = life
  if (!review || desk.at === 'unclaimed') return
  const { reviewers } = world
  const who = reviewers[desk.holder % reviewers.length]
  if (!who) return
  const isHeld = desk.at === 'toAudit' || desk.at === 'underReview'
  const queuedAt = review.queuedAt as number
  let at = isHeld
    ? world.asOf - rng.int(90, 360) * SECOND
    : Math.min(queuedAt + rng.int(60, 600) * SECOND, world.asOf - 6 * MINUTE)
  claim(review, who, at, isHeld ? world.asOf : null)
  if (desk.at !== 'toAudit') openClaim(review, (at += rng.int(3, 30) * SECOND))
  if (isHeld) {
    const to = desk.handTo === undefined ? undefined : reviewers[desk.handTo % reviewers.length]
    if (to && to.id !== who.id) offerHandover(review, to, world.asOf - 30 * SECOND)
    if (desk.calling) review.tele = { state: 'executing', answers: null, attempts: 1 }
    return
  }
  at += rng.int(60, 200) * SECOND
  if (desk.at === 'dataModifiable') return askForData(review, rng, at)
  if (desk.at === 'manualCheck') return escalate(review, at)
  if (desk.at === 'audited')
    return decide(
      review,
      rng,
      rng.chance(0.7) ? 'passed' : 'failed',
      world.asOf - rng.int(2, 9) * SECOND,
    )
  decide(review, rng, 'passed', at)
  failPostCheck(review, at + 20 * SECOND)
}

function drawRepaying(rng: Rng, product: Product, risk: number): Repaying {
  const lateness: number[] = []
  for (let k = 0; k < product.periods; k += 1) {
    const kind = rng.weighted(
      [
        [880, 90, 25, 5, 0, 0],
        [600, 200, 120, 60, 15, 5],
        [300, 100, 100, 150, 120, 230],
      ][risk] as number[],
    )
    if (kind === 5) {
      while (lateness.length < product.periods) lateness.push(Infinity)
      break
    }
    lateness.push(
      [rng.int(-3, 0), rng.int(1, 3), rng.int(4, 10), rng.int(11, 30), rng.int(31, 85)][
        kind
      ] as number,
    )
  }
  if (lateness.includes(Infinity)) {
    const fate = rng.weighted([50, 22, 28])
    if (fate === 0) return { lateness }
    return {
      lateness,
      ending:
        fate === 1
          ? { kind: 'writeOff', afterDays: rng.int(45, 100) }
          : { kind: 'batchWriteOff', afterDays: rng.int(92, 110) },
    }
  }
  if (product.periods === 1 && rng.chance(0.02))
    return { lateness: [Infinity], ending: { kind: 'rollover', afterDays: rng.int(-1, 4) } }
  const last = lateness.at(-1) ?? 0
  return {
    lateness,
    inParts: rng.chance(0.06),
    ...(last >= 5 && rng.chance(0.2) ? { ending: { kind: 'reduction' as const } } : {}),
  }
}

/** The borrower's app has three products, from the shortest to the longest. */
function productOf(borrower: Borrower, length: number): Product {
  return PRODUCTS.filter((product) => product.appId === borrower.appId)[length] as Product
}

/** Lognormal, inside the product and whole multiples of ₹500. */
function amountFor(product: Product, rng: Rng, isKnown: boolean): number {
  const rupees = Math.exp(Math.log(isKnown ? 15_000 : 9_000) + 0.8 * rng.normal())
  const paise = Math.round(rupees / 500) * 50_000
  return Math.min(Math.max(paise, product.minAmount, 200_000), product.maxAmount, 20_000_000)
}

/** Applications come between 08:00 and 22:00 IST. */
function onDay(day: string, rng: Rng): number {
  return istMidnight(day).getTime() + 8 * HOUR + rng.int(0, 14 * 3_600 - 1) * SECOND
}
