/**
 * Each report over 92 days from its rollups, of a large book in turns with a small one, beside the
 * plain `group by` over the large book that fills the same days; then closed days that are filled
 * again while fifty reviewers claim.
 */
import { addDays, istDay } from '#shared/kernel/time.ts'
import { answered } from './answered.ts'
import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import type { TimedReport } from './children/manage-process.ts'
import type { Book } from './book.ts'
import { median, takeTurns } from './measure.ts'
import type { Child } from './processes.ts'
import type { Days, PlainDays, ReportBook } from './report-book.ts'
import { type Console, type Ground, startStack } from './stage.ts'
import { type Line, short } from './table.ts'

/** Orders of the books; PGlite is for a small lender. `--orders` says another large one. */
const SIZES = { PostgreSQL: [10_000, 1_000_000], PGlite: [10_000, 50_000] } as const
const DAYS = 92
const ROUNDS = 2
const ROUND_MS = 1_500
const WARM_MS = 300
const MOST_MS = 150
const MOST_RATIO = 1.5
const LEAST_FASTER = 50
const MOST_DAY_MS = 10_000
const MOST_CLAIM_MS = 250
/** Below this a ratio is that of two overheads. */
const NOISE_MS = 5
const REVIEWERS = 50
const CLAIMS_MS = 10_000
/** Of a reviewer, between an answer and the next claim. */
const PAUSE_MS = 250

interface Floor extends Console {
  book: Book
  made: ReportBook
}

export async function reportLines(ground: Ground): Promise<Line[]> {
  const { engine, print, start } = ground
  const [small, large] = SIZES[engine]
  const before = await open(ground, small)
  const after = await open(ground, ground.orders ?? large)
  const load = await start('http-load')
  const dateTo = istDay(Date.now())
  const range = { from: addDays(dateTo, 1 - DAYS), to: dateTo }
  const timed = (floor: Floor, { path }: TimedReport, ms: number): Promise<CallersResult> =>
    answered(load, {
      url: floor.edgeUrl,
      method: 'GET',
      path: `/api/manage${path}?dateFrom=${range.from}&dateTo=${range.to}`,
      tokens: [floor.book.tokens.director],
      callers: 1,
      ms,
    })
  const lines: Line[] = []
  for (const report of await after.manage.ask<TimedReport[]>('reports')) {
    print(`  ${report.path}`)
    for (const floor of [before, after]) await timed(floor, report, WARM_MS)
    const { a, b } = await takeTurns(
      ROUNDS,
      () => timed(after, report, ROUND_MS),
      () => timed(before, report, ROUND_MS),
    )
    const plain = await after.manage.ask<number>('plainMs', {
      menu: report.menu,
      ...range,
    } satisfies PlainDays)
    lines.push(lineOf(`${report.path}, ${DAYS} days`, { a, b, plain }))
  }
  print('  closed days and claims')
  return [
    bookLine([before.made, after.made], engine),
    ...lines,
    ...(await dayLines(load, after, range)),
  ]
}

async function open(ground: Ground, orders: number): Promise<Floor> {
  const book = await ground.makeBook({ customers: 150, queue: 0 })
  const stack = await startStack(ground, book)
  ground.print(`  ${orders.toLocaleString('en-US')} orders`)
  const made = await stack.manage.ask<ReportBook>('makeReportBook', orders)
  return { ...stack, book, made }
}

function lineOf(
  what: string,
  { a, b, plain }: { a: CallersResult[]; b: CallersResult[]; plain: number },
): Line {
  const p50 = (rounds: CallersResult[]): number => median(rounds.map((one) => one.latencyMs.p50))
  const p95 = median(a.map((one) => one.latencyMs.p95))
  const [now, was] = [p50(a), p50(b)]
  const grown = Math.max(now, NOISE_MS) / Math.max(was, NOISE_MS)
  const faster = plain / now
  return {
    what,
    product: `p50 ${short(now)}, p95 ${short(p95)} ms; ${grown.toFixed(2)}× the small book (${short(was)} ms)`,
    baseline: `group by ${short(plain)} ms`,
    ratio: faster,
    target: `p95 ≤ ${MOST_MS} ms, ≤ ${MOST_RATIO}×, group by ≥ ${LEAST_FASTER}×`,
    pass: p95 <= MOST_MS && grown <= MOST_RATIO && faster >= LEAST_FASTER,
  }
}

function bookLine([small, large]: [ReportBook, ReportBook], engine: string): Line {
  const text = ({ orders, plans, payments, megabytes, fillSeconds }: ReportBook): string =>
    `${orders.toLocaleString('en-US')} orders, ${(plans + payments).toLocaleString('en-US')} plans ` +
    `and payments, ${megabytes.toLocaleString('en-US')} MB; rollups filled in ${short(fillSeconds)} s`
  return {
    what: `the books (${engine})`,
    product: text(large),
    baseline: `small book: ${text(small)}`,
    ratio: null,
    target: '',
    pass: null,
  }
}

/** The fullest closed days, one after the other, are filled while reviewers claim; beside it, claims without that. */
async function dayLines(
  load: Child,
  { book, edgeUrl, manage, made }: Floor,
  range: Days,
): Promise<Line[]> {
  const closed = await manage.ask<string[]>('fullestDays', range)
  const claims = {
    url: edgeUrl,
    method: 'POST',
    path: '/api/manage/review/claim',
    body: { count: 1 },
    tokens: book.tokens.reviewers,
    callers: REVIEWERS,
    ms: CLAIMS_MS,
    withKey: true,
    pauseMs: PAUSE_MS,
  } satisfies HttpLoad
  await answered(load, { ...claims, ms: CLAIMS_MS / 2 })
  const quiet = await answered(load, claims)
  const days: number[] = []
  let areClaiming = true
  const claiming = answered(load, claims).finally(() => (areClaiming = false))
  while (areClaiming)
    days.push(await manage.ask<number>('fillDay', closed[days.length % closed.length]))
  const meanwhile = await claiming
  const slowest = Math.max(...days)
  const p99 = meanwhile.latencyMs.p99
  return [
    {
      what: `a closed day of all rollups filled again, ${made.orders.toLocaleString('en-US')} orders`,
      product: `${short(slowest)} ms, the slowest of ${days.length}; p50 ${short(median(days))} ms`,
      baseline: '',
      ratio: null,
      target: `≤ ${MOST_DAY_MS.toLocaleString('en-US')} ms`,
      pass: slowest <= MOST_DAY_MS,
    },
    {
      what: `  claims of ${REVIEWERS} reviewers meanwhile (${short(meanwhile.perSecond)}/s)`,
      product: `p50 ${short(meanwhile.latencyMs.p50)}, p99 ${short(p99)} ms`,
      baseline: `without it p50 ${short(quiet.latencyMs.p50)}, p99 ${short(quiet.latencyMs.p99)} ms`,
      ratio: p99 / quiet.latencyMs.p99,
      target: `p99 ≤ ${MOST_CLAIM_MS} ms`,
      pass: p99 <= MOST_CLAIM_MS,
    },
  ]
}
