/** Opens the day of a large book while reviewers claim. Runs late, because it enlarges the book. */
import type { DayOpened } from '#gateway/manage/features/repayments/open-day.ts'
import { answered } from './answered.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

/** Instalments of the book; PGlite is for a small lender. */
const PLANS = { PostgreSQL: 1_000_000, PGlite: 100_000 } as const
/** Shorter than an opening on two cores, so that every claim runs during it. */
const CLAIMS_MS = 5_000
const REVIEWERS = 10
const PAUSE_MS = 500

export async function dayLines({ book, edgeUrl, manage, start }: Bench): Promise<Line[]> {
  const plans = PLANS[book.engine]
  await manage.ask('makeDayBook', plans)
  const load = await start('http-load')
  const opening = manage.ask<DayOpened & { seconds: number }>('openNextDay')
  const claimed = await answered(load, {
    url: edgeUrl,
    method: 'POST',
    path: '/api/manage/review/claim',
    body: { count: 1 },
    tokens: book.tokens.reviewers,
    callers: REVIEWERS,
    ms: CLAIMS_MS,
    withKey: true,
    pauseMs: PAUSE_MS,
  })
  const { orders, overdue, seconds } = await opening
  await load.stop()
  // on a fast machine the last claims found the day open
  const share = Math.min(1, (seconds * 1_000) / CLAIMS_MS)
  return [
    {
      what:
        `day opening of ${short(plans)} instalments: ${short(orders)} fined or moved, ` +
        `${short(overdue)} newly overdue (${book.engine})`,
      product: `${short(seconds)} s, ${short(orders / seconds)} loans/s`,
      baseline: '',
      ratio: null,
      target: '',
      pass: null,
    },
    {
      what:
        `  a claim of ${REVIEWERS} reviewers meanwhile` +
        (share < 1 ? ` (${short(share * 100)} % of the time)` : ''),
      product: `p50 ${short(claimed.latencyMs.p50)}, p99 ${short(claimed.latencyMs.p99)} ms, ${claimed.ok} claims`,
      baseline: '',
      ratio: null,
      target: 'p99 ≤ 500 ms',
      pass: claimed.latencyMs.p99 <= 500,
    },
  ]
}
