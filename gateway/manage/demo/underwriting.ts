/** An application from submission to the open loan, or to where it waits or ends. */
import { addDays, istDay } from '#shared/kernel/time.ts'
import { HOUR, type Life, MINUTE, SECOND, step, type World } from './life.ts'
import { type Doer, CUSTOMER_APP, DISPATCHER, MACHINE, VENDOR } from './doers.ts'
import { REFUSALS } from './machine-report.ts'
import type { Rng } from './random.ts'
import {
  claim,
  decide,
  endWithOrder,
  finish,
  lapse,
  machineFails,
  newReview,
  openClaim,
  queue,
  REVIEW_TIMES,
} from './review-life.ts'
import { openLoan } from './servicing.ts'

export type Route = 'auto' | 'manual'
export type Fate =
  | { end: 'reviewing' }
  | { end: 'machineError'; retries: number }
  | { end: 'autoFailed' | 'limitFailed' | 'manualFailed' }
  /** Waits in the queue; what happens to it there is arranged by the desk. */
  | { end: 'queued' }
  | { end: 'cancelled'; from: 'reviewing' | 'queue' | 'passed' | 'payoutFailed'; route: Route }
  | { end: 'passed'; route: Route }
  | { end: 'disbursing'; route: Route; sent: boolean }
  | { end: 'payoutFailed'; route: Route; attempts: number }
  | { end: 'loan'; route: Route; failedAttempts: number }

const COOL_DOWN_DAYS = 30
const FAIL_REASONS = [
  'Beneficiary account closed',
  'Bank offline',
  'Beneficiary name mismatch',
  'Account frozen by the bank',
  'Daily limit of the beneficiary reached',
]

/** Lives the application; every instant is before the seed's now when there is room for it. */
export function underwrite(life: Life, rng: Rng, world: World, fate: Fate): void {
  const { createdAt } = life
  step(life, 10, 'submit', CUSTOMER_APP, createdAt)
  if (fate.end === 'reviewing' || fate.end === 'machineError') {
    life.review = newReview(createdAt)
    if (fate.end === 'machineError')
      machineFails(life.review, createdAt + 30 * SECOND, fate.retries)
    return
  }
  if (fate.end === 'cancelled' && fate.from === 'reviewing') {
    life.review = newReview(createdAt)
    endWithOrder(life.review, createdAt + 20 * SECOND)
    return cancel(life, createdAt + 20 * SECOND)
  }
  const judged = createdAt + rng.int(15, 60) * SECOND
  if (fate.end === 'autoFailed' || fate.end === 'limitFailed') {
    if (fate.end === 'autoFailed') {
      const [code, name] = rng.pick(REFUSALS)
      life.refusalCode = code
      life.failReason = `${code} · ${name}`
      life.coolDownUntil = addDays(istDay(judged), COOL_DOWN_DAYS)
    }
    return step(
      life,
      fate.end === 'autoFailed' ? 21 : 23,
      fate.end === 'autoFailed' ? 'autoReject' : 'limitFail',
      MACHINE,
      judged,
      life.refusalCode,
    )
  }
  const route = 'route' in fate ? fate.route : 'manual'
  let passedAt = judged
  if (route === 'auto' && !(fate.end === 'cancelled' && fate.from === 'queue'))
    step(life, 20, 'autoPass', MACHINE, judged)
  else {
    const review = newReview(createdAt)
    life.review = review
    queue(review, rng, life, judged)
    step(
      life,
      22,
      'autoUndecided',
      MACHINE,
      judged,
      review.report?.rules
        .filter((rule) => rule.hit)
        .map((rule) => rule.code)
        .join(', '),
    )
    if (fate.end === 'queued') return
    if (fate.end === 'cancelled' && fate.from === 'queue') {
      endWithOrder(review, judged + 9 * MINUTE)
      return cancel(life, judged + 9 * MINUTE)
    }
    passedAt = reviewed(life, rng, world, judged, fate.end === 'manualFailed' ? 'failed' : 'passed')
    if (fate.end === 'manualFailed') return
  }
  if (fate.end === 'passed') return
  if (fate.end === 'cancelled' && fate.from === 'passed')
    return cancel(life, passedAt + rng.int(20, 110) * MINUTE)
  payOut(life, rng, world, fate, passedAt)
}

/** Claim, look, decision, post checks. @returns when it ended */
function reviewed(
  life: Life,
  rng: Rng,
  world: World,
  queuedAt: number,
  result: 'passed' | 'failed',
): number {
  const review = life.review
  if (!review) throw new TypeError('only a queued review is reviewed')
  let at = queuedAt + REVIEW_TIMES.queueWait(rng)
  if (rng.chance(0.04)) {
    claim(review, rng.pick(world.reviewers), at, null)
    at += 11 * MINUTE
    lapse(review, at)
    at += REVIEW_TIMES.queueWait(rng)
  }
  claim(review, rng.pick(world.reviewers), at, null)
  openClaim(review, (at += REVIEW_TIMES.opening(rng)))
  decide(review, rng, result, (at += REVIEW_TIMES.deciding(rng)))
  finish(review, rng, world, (at += REVIEW_TIMES.postCheck(rng)))
  const by = review.reviewer as Doer
  step(
    life,
    result === 'passed' ? 26 : 27,
    result === 'passed' ? 'reviewPass' : 'reviewReject',
    by,
    at,
    review.rejectCode,
  )
  return at
}

function payOut(life: Life, rng: Rng, world: World, fate: Fate, passedAt: number): void {
  const failures =
    fate.end === 'payoutFailed'
      ? fate.attempts
      : fate.end === 'cancelled'
        ? 1
        : fate.end === 'loan'
          ? fate.failedAttempts
          : 0
  // what is under way now was begun a moment ago
  let at =
    fate.end === 'disbursing'
      ? Math.max(passedAt + SECOND, world.asOf - rng.int(10, 100) * SECOND)
      : passedAt + rng.int(5, 60) * SECOND
  for (let attempt = 1; ; attempt += 1) {
    const isRetry = attempt > 1
    step(
      life,
      29,
      isRetry ? 'retryPayout' : 'payoutDispatch',
      isRetry ? (world.managers[0] ?? DISPATCHER) : DISPATCHER,
      at,
    )
    const sentAt = at
    if (fate.end === 'disbursing' && attempt > failures) {
      life.transfers.push({
        attemptNo: attempt,
        state: 'inProgress',
        at: sentAt,
        sent: fate.sent,
        finishedAt: null,
        failReason: null,
        handlingMethod: null,
      })
      return
    }
    at += rng.int(5, 90) * SECOND
    if (attempt > failures) {
      life.transfers.push({
        attemptNo: attempt,
        state: 'success',
        at: sentAt,
        sent: true,
        finishedAt: at,
        failReason: null,
        handlingMethod: null,
      })
      openLoan(life, at)
      life.failReason = null
      return step(life, 30, 'payoutOk', VENDOR, at)
    }
    const reason = rng.pick(FAIL_REASONS)
    const isLast = attempt === failures && fate.end !== 'loan'
    life.transfers.push({
      attemptNo: attempt,
      state: 'fail',
      at: sentAt,
      sent: true,
      finishedAt: at,
      failReason: reason,
      handlingMethod: isLast ? null : rng.pick(['retrySame', 'customerUpdatesAccount']),
    })
    life.failReason = reason
    step(life, 31, 'payoutFail', VENDOR, at, reason)
    if (isLast)
      return fate.end === 'cancelled'
        ? step(
            life,
            70,
            'cancelDisbursement',
            world.managers[0] ?? DISPATCHER,
            at + rng.int(30, 90) * MINUTE,
            'The customer does not want the money any more',
          )
        : undefined
    at += rng.int(10, 100) * MINUTE
  }
}

function cancel(life: Life, at: number): void {
  step(life, 70, 'cancel', CUSTOMER_APP, at, 'The customer withdrew')
}

/** A fate drawn for an application nobody arranged. */
export function drawFate(rng: Rng): Fate {
  const route: Route = rng.chance(0.42) ? 'manual' : 'auto'
  switch (rng.weighted([12, 4, 9, 2, 0.6, 72])) {
    case 0:
      return { end: 'autoFailed' }
    case 1:
      return { end: 'limitFailed' }
    case 2:
      return { end: 'manualFailed' }
    case 3:
      return { end: 'cancelled', from: rng.pick(['reviewing', 'queue', 'passed'] as const), route }
    case 4:
      return { end: 'cancelled', from: 'payoutFailed', route }
    default:
      return { end: 'loan', route, failedAttempts: rng.chance(0.05) ? 1 : 0 }
  }
}

/**
 * The longest an application may take until it is disbursed or ends; nothing unarranged begins
 * later than this before now.
 */
export const UNDERWRITING_MOST = 8 * HOUR
