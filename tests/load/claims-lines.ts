/** Claims of fifty reviewers through the edge, compared with the claim's bare transaction. */
import type { BareClaims } from './children/bare-claims.ts'
import { answered } from './answered.ts'
import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import { median, medianRatio, takeTurns } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short, medianText } from './table.ts'

const ROUNDS = 4
const ROUND_MS = 3_000
/**
 * A process that runs all day has compiled its code: with a shorter warm-up, a third of the edge's
 * time was spent compiling.
 */
const WARM_MS = 6_000
const REVIEWERS = 50
/**
 * Pause between an answer and a reviewer's next claim, where the time of one claim is measured:
 * fifty callers without a pause measure their own queue.
 */
const PAUSE_MS = 250

export async function claimLines({
  book,
  edge,
  edgeUrl,
  manage,
  manageUrl,
  start,
}: Bench): Promise<Line[]> {
  const bare = await start('bare-claims', book.bare)
  const load = await start('http-load')
  const claims = {
    url: edgeUrl,
    method: 'POST',
    path: '/api/manage/review/claim',
    body: { count: 1 },
    tokens: book.tokens.reviewers,
    callers: REVIEWERS,
    ms: ROUND_MS,
    withKey: true,
  } satisfies HttpLoad
  const run = (what: HttpLoad): Promise<CallersResult> => answered(load, what)
  const transactions = (ms: number): Promise<BareClaims> =>
    bare.ask<BareClaims>('run', { callers: REVIEWERS, ms })
  await takeTurns(
    1,
    () => run({ ...claims, ms: WARM_MS }),
    () => transactions(1_500),
  )
  const before = [await edge.usage(), await manage.usage()] as const
  const { a, b } = await takeTurns(
    ROUNDS,
    () => run(claims),
    () => transactions(ROUND_MS),
  )
  const made = a.reduce((sum, r) => sum + r.ok, 0)
  const cost = [
    (await edge.usage()).cpuMs - before[0].cpuMs,
    (await manage.usage()).cpuMs - before[1].cpuMs,
  ].map((ms) => short((ms / made) * 1_000))
  const paced = await takeTurns(
    2,
    () => run({ ...claims, pauseMs: PAUSE_MS }),
    () => run({ ...claims, url: manageUrl }),
  )
  await bare.stop()
  await load.stop()
  const ratio = medianRatio(
    a.map((r) => r.perSecond),
    b.map((r) => r.perSecond),
  )
  const p99 = median(paced.a.map((r) => r.latencyMs.p99))
  const direct = median(paced.b.map((r) => r.perSecond))
  return [
    {
      what: `claims, ${REVIEWERS} reviewers over HTTP and the edge (${book.engine})`,
      ratio,
      target: '≥ 0.6×',
      pass: ratio >= 0.6,
      product: `${medianText(a, (r) => r.perSecond)}/s`,
      baseline: `${medianText(b, (r) => r.perSecond)} bare transactions/s`,
    },
    {
      what:
        `  time of one claim, each reviewer ${PAUSE_MS} ms after the last ` +
        `(${medianText(paced.a, (r) => r.perSecond)}/s)`,
      ratio: null,
      target: 'p99 ≤ 250 ms',
      pass: p99 <= 250,
      product: `p50 ${medianText(paced.a, (r) => r.latencyMs.p50)}, p99 ${short(p99)} ms`,
      baseline: '',
    },
    {
      what: '  time of one claim, all at once without a pause',
      ratio: median(a.map((r) => r.latencyMs.p99)) / median(b.map((r) => r.latencyMs.p99)),
      target: '',
      pass: null,
      product: `p50 ${medianText(a, (r) => r.latencyMs.p50)}, p99 ${medianText(a, (r) => r.latencyMs.p99)} ms`,
      baseline: `p99 ${medianText(b, (r) => r.latencyMs.p99)} ms`,
    },
    {
      what: '  processor time of one claim: edge + manage; without the edge',
      ratio: direct / median(b.map((r) => r.perSecond)),
      target: '',
      pass: null,
      product: `${cost.join(' + ')} µs; ${short(direct)}/s`,
      baseline: '',
    },
  ]
}
