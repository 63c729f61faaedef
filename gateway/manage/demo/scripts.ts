/**
 * Which borrowers are arranged, so that every status, every desk and every bucket has somebody in
 * it whatever chance does with the others.
 */
import type { EmiRepaying } from './emi-life.ts'
import { EMI_CONFIGS } from './emi-terms.ts'
import { HOUR, MINUTE, SECOND } from './life.ts'
import type { HeldState } from './review-life.ts'
import type { Rng } from './random.ts'
import type { Repaying } from './servicing.ts'
import type { Fate } from './underwriting.ts'

export type Desk =
  | { at: 'unclaimed' }
  /** `holder` is a place among the reviewers. */
  | { at: HeldState; holder: number; handTo?: number; calling?: boolean }
  | { at: 'dataModifiable' | 'manualCheck' | 'audited' | 'postError'; holder: number }

export type Script =
  /** The application came this long ago. */
  | { kind: 'application'; age: number; fate: Fate; desk?: Desk; unbound?: boolean; emi: boolean }
  /** A loan of one plan that fell due this many days ago. */
  | { kind: 'loan'; dueAgo: number; how: Repaying; manual: boolean }
  /** An EMI loan of which so many instalments have fallen due. */
  | { kind: 'emi'; appId: EmiApp; fallen: number; instalments: number; how: EmiRepaying }

type EmiApp = 'AP001' | 'AP002'

interface Entry {
  /** How many in a book of 2,000 customers; at least one in any. */
  count: number
  make: (n: number, of: number, rng: Rng) => Script
}

const NEVER: Repaying = { lateness: [Infinity] }

function application(
  count: number,
  age: (n: number, of: number, rng: Rng) => number,
  fate: (n: number, rng: Rng) => Fate,
  desk?: (n: number) => Desk,
  unbound?: (n: number) => boolean,
): Entry {
  return {
    count,
    make: (n, of, rng) => ({
      kind: 'application',
      age: age(n, of, rng),
      // one in ten asks for equated monthly instalments
      emi: n % 10 === 9,
      fate: fate(n, rng),
      ...(desk ? { desk: desk(n) } : {}),
      ...(unbound ? { unbound: unbound(n) } : {}),
    }),
  }
}
function loan(
  count: number,
  dueAgo: (n: number, rng: Rng) => number,
  how: (n: number, rng: Rng) => Repaying,
): Entry {
  return {
    count,
    make: (n, _of, rng) => ({
      kind: 'loan',
      dueAgo: dueAgo(n, rng),
      how: how(n, rng),
      manual: n % 3 === 0,
    }),
  }
}
function overdue(count: number, from: number, to: number): Entry {
  return loan(
    count,
    (_, rng) => rng.int(from, to),
    (n) => (n % 5 === 4 ? { ...NEVER, inParts: true } : NEVER),
  )
}
/** Paid in time or a little late; those that have fallen due and are not listed stay unpaid. */
const paidOf = (many: number, rng: Rng): number[] =>
  Array.from({ length: many }, () => (rng.chance(0.8) ? rng.int(-3, 0) : rng.int(1, 9)))
function emi(
  count: number,
  fallen: readonly number[],
  how: (n: number, fallen: number, rng: Rng) => EmiRepaying,
  one?: { appId: EmiApp; instalments: number },
): Entry {
  return {
    count,
    make: (n, _of, rng) => {
      const many = fallen[n % fallen.length] as number
      const appId = one?.appId ?? (n % 2 === 0 ? 'AP001' : 'AP002')
      const offered = EMI_CONFIGS[appId].instalments.filter((instalments) => instalments > 3)
      const instalments = one?.instalments ?? rng.pick(offered)
      return { kind: 'emi', appId, fallen: many, instalments, how: how(n, many, rng) }
    },
  }
}
const route = (n: number): 'auto' | 'manual' => (n % 2 === 0 ? 'auto' : 'manual')
const recent =
  (from: number, to: number) =>
  (_n: number, _of: number, rng: Rng): number =>
    rng.int(from / SECOND, to / SECOND) * SECOND

const ENTRIES: readonly Entry[] = [
  application(4, recent(5 * SECOND, 150 * SECOND), () => ({ end: 'reviewing' })),
  application(3, recent(10 * MINUTE, 5 * HOUR), (n) => ({ end: 'machineError', retries: n % 4 })),
  // the queue: evenly up to 25 minutes old
  application(
    16,
    (n, of) => Math.round(90 * SECOND + (n / of) * 23.5 * MINUTE),
    () => ({ end: 'queued' }),
    () => ({ at: 'unclaimed' }),
  ),
  application(
    4,
    recent(9 * MINUTE, 25 * MINUTE),
    () => ({ end: 'queued' }),
    (n) => ({ at: 'toAudit', holder: 2 + (n % 4), ...(n === 0 ? { handTo: 0 } : {}) }),
  ),
  application(
    4,
    recent(12 * MINUTE, 28 * MINUTE),
    () => ({ end: 'queued' }),
    (n) => ({
      at: 'underReview',
      holder: 2 + (n % 4),
      ...(n === 1 ? { handTo: 4 } : {}),
      ...(n === 2 ? { calling: true } : {}),
    }),
  ),
  application(
    8,
    recent(2 * HOUR, 60 * HOUR),
    () => ({ end: 'queued' }),
    (n) => ({ at: 'dataModifiable', holder: n % 6 }),
  ),
  application(
    5,
    recent(40 * MINUTE, 20 * HOUR),
    () => ({ end: 'queued' }),
    (n) => ({ at: 'manualCheck', holder: n % 6 }),
  ),
  application(
    3,
    recent(25 * MINUTE, 40 * MINUTE),
    () => ({ end: 'queued' }),
    (n) => ({ at: 'audited', holder: n % 6 }),
  ),
  application(
    4,
    recent(HOUR, 20 * HOUR),
    () => ({ end: 'queued' }),
    (n) => ({ at: 'postError', holder: n % 6 }),
  ),
  application(
    22,
    recent(2 * HOUR, 60 * HOUR),
    (n) => ({ end: 'passed', route: route(n) }),
    undefined,
    (n) => n % 10 < 7,
  ),
  application(4, recent(35 * MINUTE, 60 * MINUTE), (n) => ({
    end: 'disbursing',
    route: route(n),
    sent: n % 2 === 0,
  })),
  application(18, recent(8 * HOUR, 40 * HOUR), (n) => ({
    end: 'payoutFailed',
    route: route(n),
    attempts: 1 + (n % 3),
  })),
  application(4, recent(HOUR, 90 * HOUR), () => ({
    end: 'cancelled',
    from: 'reviewing',
    route: 'auto',
  })),
  application(4, recent(HOUR, 90 * HOUR), () => ({
    end: 'cancelled',
    from: 'queue',
    route: 'manual',
  })),
  application(4, recent(5 * HOUR, 90 * HOUR), (n) => ({
    end: 'cancelled',
    from: 'passed',
    route: route(n),
  })),
  application(4, recent(9 * HOUR, 90 * HOUR), (n) => ({
    end: 'cancelled',
    from: 'payoutFailed',
    route: route(n),
  })),
  application(2, recent(HOUR, 90 * HOUR), () => ({ end: 'autoFailed' })),
  application(2, recent(HOUR, 90 * HOUR), () => ({ end: 'limitFailed' })),
  // some decided today, so that the inspectors' and the reviewers' own figures begin with something
  application(14, recent(2 * HOUR, 30 * HOUR), () => ({ end: 'manualFailed' })),
  // about as many a day in each bucket as the days after it leave open: fewer than one in four of what falls
  // due, so that the share paid on time does not bend where arranged borrowers begin
  overdue(40, 0, 0),
  overdue(10, 1, 1),
  overdue(16, 2, 3),
  overdue(28, 4, 7),
  overdue(18, 8, 10),
  overdue(90, 11, 30),
  overdue(90, 31, 60),
  overdue(60, 61, 90),
  overdue(40, 91, 104),
  loan(
    6,
    () => -5,
    () => ({ ...NEVER, inParts: true }),
  ),
  loan(
    4,
    () => -3,
    () => ({ ...NEVER, ending: { kind: 'processing' } }),
  ),
  loan(
    5,
    (_, rng) => rng.int(2, 40),
    () => ({ ...NEVER, ending: { kind: 'processing' } }),
  ),
  loan(
    2,
    () => 95,
    () => ({ ...NEVER, ending: { kind: 'processing' } }),
  ),
  loan(
    12,
    (_, rng) => rng.int(30, 60),
    (_, rng) => ({ lateness: [rng.int(6, 20)], ending: { kind: 'reduction' } }),
  ),
  loan(
    14,
    (_, rng) => rng.int(10, 50),
    (_, rng) => ({ ...NEVER, ending: { kind: 'rollover', afterDays: rng.int(-1, 5) } }),
  ),
  loan(
    8,
    (_, rng) => rng.int(96, 104),
    (_, rng) => ({ ...NEVER, ending: { kind: 'writeOff', afterDays: rng.int(40, 94) } }),
  ),
  loan(
    10,
    () => 103,
    (_, rng) => ({ ...NEVER, ending: { kind: 'batchWriteOff', afterDays: rng.int(92, 100) } }),
  ),
  // EMI loans: running, one and two instalments overdue, also after a debit that the bank returned,
  // paid ahead both ways, paid back
  emi(16, [0, 1, 2, 3], (_, fallen, rng) => ({ lateness: paidOf(fallen, rng) })),
  emi(8, [1, 2, 3], (n, fallen, rng) => ({
    lateness: paidOf(fallen - 1, rng),
    ...(n % 2 === 0 ? { bounced: fallen - 1 } : {}),
  })),
  emi(4, [2, 3], (_, fallen, rng) => ({ lateness: paidOf(fallen - 2, rng) })),
  emi(10, [1, 2], (n, fallen, rng) => ({
    lateness: paidOf(fallen, rng),
    ahead: {
      after: rng.int(4, 26),
      share: rng.int(200, 400),
      effect: n % 2 === 0 ? 'fewerInstalments' : 'lowerInstalments',
    },
  })),
  emi(5, [2, 3], (_, fallen, rng) => ({
    lateness: paidOf(fallen, rng),
    foreclosed: rng.int(40, 62),
  })),
  emi(5, [3], (_, fallen, rng) => ({ lateness: paidOf(fallen, rng) }), {
    appId: 'AP002',
    instalments: 3,
  }),
]

const NORMAL_BOOK = 2_000

/** Scripts by the borrower's index, spread evenly over the book. */
export function scriptsOf(customers: number, rng: Rng): Map<number, Script> {
  const share = Math.min(1, customers / NORMAL_BOOK)
  const scripts = ENTRIES.flatMap(({ count, make }, i) => {
    // a larger book has a longer queue, within reason
    const most =
      i === 2
        ? count + Math.min(360, Math.floor(Math.max(0, customers - NORMAL_BOOK) / 1_000))
        : count
    const many = Math.max(1, Math.round(most * share))
    return Array.from({ length: many }, (_, n) => make(n, many, rng))
  })
  const byIndex = new Map<number, Script>()
  // interleaved, so that neighbours in time are not of one kind
  const stride = coprimeStep(scripts.length)
  for (let n = 0; n < scripts.length && n < customers; n += 1)
    byIndex.set(
      Math.floor((n * customers) / Math.min(scripts.length, customers)),
      scripts[(n * stride) % scripts.length] as Script,
    )
  return byIndex
}

function coprimeStep(length: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b))
  let step = Math.max(1, Math.floor(length * 0.382))
  while (divides(step, length) !== 1) step += 1
  return step
}
