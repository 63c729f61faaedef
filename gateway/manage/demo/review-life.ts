/**
 * The manual review of an application, step by step as the desk would have logged it.
 */
import { QUALITY_PAIRS, qualityClassOf } from '#shared/review/reject-reasons.ts'
import type { StaffMember } from './accounts.ts'
import { HOUR, type Life, MINUTE, SECOND, type World } from './life.ts'
import { CUSTOMER_APP, type Doer, MACHINE, POST_CHECK } from './doers.ts'
import { reportOf } from './machine-report.ts'
import type { Rng } from './random.ts'
import type { ReviewLife } from './review-life-types.ts'

export type HeldState = 'toAudit' | 'underReview'
export type OpenState =
  | 'unclaimed'
  | HeldState
  | 'dataModifiable'
  | 'manualCheck'
  | 'audited'
  | 'abnormal'

const POINTS = [
  'livePhoto',
  'panPhoto',
  'aadhaarFront',
  'aadhaarBack',
  'nameMatches',
  'birthdayMatches',
  'faceMatches',
  'accountHolder',
  'address',
]
const FAULTS = [
  'A01',
  'A02',
  'A03',
  'A04',
  'A05',
  'A07',
  'A08',
  'B01',
  'B03',
  'B04',
  'B05',
  'C01',
  'C02',
  'C03',
  'C04',
  'C05',
  'C06',
] as const

/** A review that waits for the machine. */
export function newReview(at: number): ReviewLife {
  return {
    state: 'initial',
    machineState: null,
    machineAt: null,
    report: null,
    retryCount: 0,
    token: 0,
    reviewer: null,
    firstReviewer: null,
    queuedAt: null,
    claimedAt: null,
    openedAt: null,
    decidedAt: null,
    finishedAt: null,
    idleUntil: null,
    liveUntil: null,
    result: null,
    rejectCode: null,
    remark: null,
    checklist: null,
    preRejectCode: null,
    priority: 0,
    tele: { state: 'notExecuted', answers: null, attempts: 0 },
    data: null,
    quality: null,
    appeal: null,
    handover: null,
    steps: [
      {
        event: 'SUBMIT',
        from: null,
        to: 'initial',
        token: 0,
        by: MACHINE,
        holder: null,
        note: null,
        at,
      },
    ],
  }
}

export function machineFails(review: ReviewLife, at: number, retries: number): void {
  review.machineState = 'error'
  review.machineAt = at
  review.retryCount = retries
  move(review, 'MACHINE_ERROR', 'abnormal', MACHINE, at)
}

export function queue(review: ReviewLife, rng: Rng, life: Life, at: number): void {
  review.machineState = 'undecided'
  review.machineAt = at
  review.report = reportOf(rng, life.amount)
  review.queuedAt = at
  review.priority = life.tags.includes('reLoan') ? 10 : 0
  if (rng.chance(0.08)) review.preRejectCode = rng.pick(FAULTS)
  move(review, 'MACHINE_UNDECIDED', 'unclaimed', MACHINE, at)
}

/** @param live the claim's clocks still run at the seed's now */
export function claim(review: ReviewLife, who: StaffMember, at: number, live: number | null): void {
  review.token += 1
  review.reviewer = who
  review.claimedAt = at
  if (live !== null) {
    review.idleUntil = live + 10 * MINUTE
    review.liveUntil = live + 2 * MINUTE
  }
  move(review, 'CLAIM', 'toAudit', who, at, who)
}

export function openClaim(review: ReviewLife, at: number): void {
  review.openedAt = at
  const who = review.reviewer as StaffMember
  move(review, 'OPEN', 'underReview', who, at, who)
}

/** The claim of somebody who went away: it runs out and the item is free again. */
export function lapse(review: ReviewLife, at: number): void {
  review.token += 1
  review.reviewer = null
  review.idleUntil = null
  review.liveUntil = null
  move(review, 'LEASE_EXPIRED', 'unclaimed', { id: null, name: 'leaseSweep' }, at)
}

export function decide(
  review: ReviewLife,
  rng: Rng,
  result: 'passed' | 'failed',
  at: number,
  decider?: StaffMember,
): void {
  const who = decider ?? (review.reviewer as StaffMember)
  review.reviewer = who
  review.firstReviewer ??= who
  review.result = result
  review.decidedAt = at
  review.rejectCode = result === 'failed' ? (rng.chance(0.04) ? 'Z01' : rng.pick(FAULTS)) : null
  review.remark = review.rejectCode === 'Z01' ? 'Customer asked for another product' : null
  review.checklist = Object.fromEntries(
    POINTS.map((point, i) => [point, result === 'passed' || i % 3 !== 0]),
  )
  if (rng.chance(0.55))
    review.tele = {
      state: 'connected',
      answers: {
        employer: 'confirmed',
        income: 'confirmed',
        purpose: rng.pick(['household', 'medical', 'education', 'travel']),
      },
      attempts: rng.int(1, 2),
    }
  review.idleUntil = null
  review.liveUntil = null
  move(review, decider ? 'DECIDE' : 'SUBMIT', 'audited', who, at, null, review.rejectCode)
}

export function finish(review: ReviewLife, rng: Rng, world: World, at: number): void {
  review.finishedAt = at
  move(
    review,
    review.result === 'passed' ? 'POST_CHECK_PASS' : 'POST_CHECK_FAIL',
    review.result as string,
    POST_CHECK,
    at,
  )
  if (rng.chance(0.16)) inspect(review, rng, world, at + rng.int(2, 30) * HOUR)
}

/** Samples of decided reviews: most are right, some are not, of those some are appealed. */
function inspect(review: ReviewLife, rng: Rng, world: World, at: number): void {
  if (at + HOUR > world.asOf || world.inspectors.length === 0) return
  const by = rng.pick(world.inspectors)
  const pair = QUALITY_PAIRS[rng.pick(FAULTS)]
  const result = rng.weighted([6, 72, 22])
  review.quality = { state: 'checked', code: null, class: null, by, at: null, remark: null }
  move(review, 'SAMPLE_OPEN', review.state, by, at)
  if (result === 0) return
  const done = at + rng.int(3, 20) * MINUTE
  const passed = result === 1
  const code = passed ? pair.pass : rng.chance(0.05) ? 'E001' : pair.fail
  review.quality = {
    ...review.quality,
    state: passed ? 'pass' : 'fail',
    code,
    class: passed ? null : qualityClassOf(code as never, review.result as 'passed' | 'failed'),
    at: done,
    remark: code === 'E001' ? 'Remark of the customer was overlooked' : null,
  }
  move(review, passed ? 'QC_PASS' : 'QC_FAIL', review.state, by, done, null, code)
  const appealAt = done + rng.int(1, 40) * HOUR
  const who = review.reviewer
  if (passed || !who || !rng.chance(0.4) || appealAt > world.asOf) return
  review.appeal = {
    state: 'open',
    reason: 'The document was readable when I decided',
    at: appealAt,
    decideReason: null,
  }
  move(review, 'APPEAL', review.state, who, appealAt)
  const decideAt = appealAt + rng.int(1, 20) * HOUR
  const leader = world.managers[0]
  if (decideAt > world.asOf || !leader) return
  const upheld = rng.chance(0.5)
  review.appeal = {
    ...review.appeal,
    state: upheld ? 'upheld' : 'dismissed',
    decideReason: upheld ? 'The reviewer was right' : 'The point stands',
  }
  if (upheld) review.quality = { ...review.quality, state: 'pass' }
  move(review, upheld ? 'APPEAL_UPHELD' : 'APPEAL_DISMISSED', review.state, leader, decideAt)
}

export function askForData(review: ReviewLife, rng: Rng, at: number): void {
  const who = review.reviewer as StaffMember
  const items = rng.pick([
    ['livePhoto'],
    ['panPhoto', 'aadhaarFront'],
    ['bankCard'],
    ['address'],
    ['contacts', 'address'],
  ])
  review.data = {
    items,
    message: 'Please send these again, clear and complete',
    until: at + 72 * HOUR,
  }
  review.idleUntil = null
  review.liveUntil = null
  move(review, 'REQUEST_DATA', 'dataModifiable', who, at, null, items.join(', '))
}

export function escalate(review: ReviewLife, at: number): void {
  const who = review.reviewer as StaffMember
  review.firstReviewer = who
  review.idleUntil = null
  review.liveUntil = null
  move(
    review,
    'ESCALATE',
    'manualCheck',
    who,
    at,
    null,
    'Face and document do not agree, second opinion needed',
  )
}

export function failPostCheck(review: ReviewLife, at: number): void {
  move(review, 'POST_CHECK_ERROR', 'abnormal', POST_CHECK, at, null, 'vendor not reachable')
}

/** The order was withdrawn while the review was open, which ends without a result. */
export function endWithOrder(review: ReviewLife, at: number): void {
  review.idleUntil = null
  review.liveUntil = null
  review.finishedAt = at
  move(review, 'ORDER_CANCELLED', 'failed', CUSTOMER_APP, at, null, 'The customer withdrew')
}

export function offerHandover(review: ReviewLife, to: StaffMember, at: number): void {
  const who = review.reviewer as StaffMember
  review.handover = {
    to,
    reason: 'My shift ends, please take over',
    at,
    expiresAt: at + 15 * MINUTE,
  }
  move(
    review,
    'HANDOVER_REQUEST',
    review.state,
    who,
    at,
    who,
    `${to.name}: ${review.handover.reason}`,
  )
}

function move(
  review: ReviewLife,
  event: string,
  to: string,
  by: Doer,
  at: number,
  holder: StaffMember | null = null,
  note: string | null = null,
): void {
  review.steps.push({ event, from: review.state, to, token: review.token, by, holder, note, at })
  review.state = to
}

export const REVIEW_TIMES = {
  queueWait: (rng: Rng) => rng.int(60, 900) * SECOND,
  opening: (rng: Rng) => rng.int(3, 40) * SECOND,
  deciding: (rng: Rng) => rng.int(50, 290) * SECOND,
  postCheck: (rng: Rng) => rng.int(8, 60) * SECOND,
}
