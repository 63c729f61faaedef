/**
 * Nearly every history begins with a loan that was paid out, some days ago or just now, so that the
 * rest of it is about repayment; what would seldom come by chance is the beginning of one in sixteen.
 */
import type { Step } from './steps/step.ts'

const USUAL = { borrower: 0, who: 'manager', dice: 100, isUsual: true, days: 1 } as const
const APPLIED = (['apply', 'judge', 'dispatch'] as const).map((kind): Step => ({ ...USUAL, kind }))
const DECIDED: Step = { ...USUAL, kind: 'decideRequest', who: 'director' }

/** A payout that failed as often as allowed. */
const FAILING: Step[] = [
  ...APPLIED,
  ...[1, 2, 3].flatMap((): Step[] => [
    { ...USUAL, kind: 'payout', isUsual: false },
    { ...USUAL, kind: 'redisburse' },
  ]),
]

/** A payout that was called failed, sent again or not, and had left after all. */
function leftAfterAll(isSentAgain: boolean): Step[] {
  return [
    ...APPLIED,
    { ...USUAL, kind: 'payout', isUsual: false },
    ...(isSentAgain ? [{ ...USUAL, kind: 'redisburse' as const }] : []),
    { ...USUAL, kind: 'contradictPayout', dice: 0 },
    { ...USUAL, kind: 'resolve' },
    DECIDED,
  ]
}

/** Money that left twice, and came back. */
const LEFT_TWICE: Step[] = [
  ...APPLIED,
  { ...USUAL, kind: 'payout', isUsual: false },
  { ...USUAL, kind: 'redisburse' },
  { ...USUAL, kind: 'payout', dice: 99 },
  { ...USUAL, kind: 'contradictPayout', dice: 0 },
  { ...USUAL, kind: 'resolve' },
  DECIDED,
  { ...USUAL, kind: 'returnStray', dice: 401 },
  DECIDED,
]

/** Days after the payout. */
function lent(days: number): Step[] {
  return [...APPLIED, { ...USUAL, kind: 'payout' }, { ...USUAL, kind: 'day', days }]
}

/** Two parts are paid, the second told late; the loan is written off, and one of the two bounces. */
function writtenOff(way: 'batchWriteOff' | 'writeOff', bounced: number): Step[] {
  return [
    ...lent(3),
    { ...USUAL, kind: 'day', days: 2 },
    { ...USUAL, kind: 'pay' },
    { ...USUAL, kind: 'day', days: 2 },
    { ...USUAL, kind: 'pay', isUsual: false, days: 2 },
    ...(way === 'batchWriteOff'
      ? [{ ...USUAL, kind: way }, DECIDED]
      : [{ ...USUAL, kind: way, who: 'director' as const }]),
    { ...USUAL, kind: 'reverse', dice: bounced },
    DECIDED,
  ]
}

/** A part of the loan is paid with a coupon, of the interest or of the fine; the last is reversed. */
function couponed(isReversed: boolean): Step[] {
  return [
    ...lent(isReversed ? 5 : 2),
    { ...USUAL, kind: 'grant', dice: isReversed ? 0 : 1 },
    { ...USUAL, kind: 'book', dice: 502 },
    { ...USUAL, kind: 'confirm', who: 'manager2' },
    ...(isReversed ? [{ ...USUAL, kind: 'reverse' as const }, DECIDED] : []),
  ]
}

/** A bad debt that is paid in parts, as agreed or until a row is missed. */
function cured(isMissed: boolean): Step[] {
  return [
    ...lent(8),
    { ...USUAL, kind: 'cure', dice: 400 },
    ...(isMissed ? [{ ...USUAL, kind: 'day' as const }] : []),
    DECIDED,
    { ...USUAL, kind: 'pay', dice: isMissed ? 20 : 400 },
    { ...USUAL, kind: 'day', days: isMissed ? 3 : 1 },
  ]
}

/** A payment whose channel calls it failed after it had arrived. */
const CONTRADICTED: Step[] = [
  ...lent(4),
  { ...USUAL, kind: 'pay' },
  { ...USUAL, kind: 'contradict' },
  { ...USUAL, kind: 'keep' },
  DECIDED,
]

/** The last instalment is carried on, with money of the day before or of today. */
function extended(isLate: boolean): Step[] {
  return [
    ...lent(4),
    { ...USUAL, kind: 'pay', dice: 395 },
    { ...USUAL, kind: 'day' },
    { ...USUAL, kind: 'book', dice: isLate ? 5 : 1 },
    { ...USUAL, kind: 'confirm', who: 'manager2' },
  ]
}

/** A loan of more than a manager may write off. */
const LARGE: Step[] = [
  { ...USUAL, kind: 'apply', dice: 900 },
  ...APPLIED.slice(1),
  { ...USUAL, kind: 'payout' },
  { ...USUAL, kind: 'day', days: 3 },
  { ...USUAL, kind: 'writeOff' },
]

const ALL: readonly Step[][] = [
  lent(0),
  lent(1),
  couponed(false),
  writtenOff('writeOff', 1),
  lent(4),
  couponed(true),
  writtenOff('batchWriteOff', 0),
  FAILING,
  cured(false),
  cured(true),
  leftAfterAll(false),
  CONTRADICTED,
  leftAfterAll(true),
  extended(false),
  LEFT_TWICE,
  LARGE,
]
export const BEGINNINGS = ALL.length

export function beginningOf(n: number): Step[] {
  return ALL[n] as Step[]
}
