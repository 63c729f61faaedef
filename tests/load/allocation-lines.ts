/**
 * A hundred thousand cases allocated through the edge while reviewers claim, compared with the bare
 * UPDATE. Runs last, because it makes the book five times as large.
 */
import { autoAllocate, listRuns, type RunRow } from '#shared/collection/allocation-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { Static } from 'typebox'
import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import { sharedNow } from './measure.ts'
import { POOL_CASES, type Pool } from './pool.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

/** Seconds, the design target. */
const MOST = { PostgreSQL: 10, PGlite: 25 } as const
/** The claims last a little less, so that every one of them runs during the allocation. */
const CLAIMS_MS = { PostgreSQL: 8_000, PGlite: 15_000 } as const
const REVIEWERS = 10
const PAUSE_MS = 500
const PATIENCE_MS = 180_000
const PRODUCT: Pool = { stageId: 'M1', prefix: 'P' }
const BARE: Pool = { stageId: 'M3', prefix: 'B' }

export async function allocationLines({ book, edgeUrl, manage, start }: Bench): Promise<Line[]> {
  await manage.ask('makePool', PRODUCT)
  const load = await start('http-load')
  const token = book.tokens.managers[0] as string
  const began = sharedNow()
  const { runId } = await call<{ runId: string }>(edgeUrl, token, autoAllocate, {
    stageIds: [PRODUCT.stageId],
    scope: 'unallocated',
  })
  const claims = load.ask<CallersResult>('run', {
    url: edgeUrl,
    method: 'POST',
    path: '/api/manage/review/claim',
    body: { count: 1 },
    tokens: book.tokens.reviewers,
    callers: REVIEWERS,
    ms: CLAIMS_MS[book.engine],
    withKey: true,
    pauseMs: PAUSE_MS,
  } satisfies HttpLoad)
  const run = await untilEnd(edgeUrl, token, runId)
  const seconds = (sharedNow() - began) / 1_000
  const claimed = await claims
  const delivered = await manage.ask<{ events: number; most: number; cases: number }>(
    'deliveredFor',
    runId,
  )
  await load.stop()
  if (run.done < POOL_CASES || delivered.cases !== run.done)
    throw new Error(
      `${run.done} cases were allocated, ${run.failed} not, ${delivered.cases} sent to leaders`,
    )
  if (claimed.refused.count > 0)
    throw new Error(
      `${claimed.refused.count} claims were refused, the first: ${claimed.refused.first}`,
    )
  const bare = await start('bare-allocation', { bare: book.bare, pool: BARE })
  const update = await bare.ask<{ ms: number; cases: number }>('run', BARE)
  await bare.stop()
  if (update.cases !== POOL_CASES) throw new Error(`the baseline gave ${update.cases} cases`)
  const most = MOST[book.engine]
  return [
    {
      what: `allocation of ${short(run.done)} cases with lines, log and events (${book.engine})`,
      product: `${short(seconds)} s`,
      baseline: `${short(update.ms / 1_000)} s, one bare UPDATE`,
      ratio: (seconds * 1_000) / update.ms,
      target: `≤ ${most} s`,
      pass: seconds <= most,
    },
    {
      what: `  a claim of ${REVIEWERS} reviewers meanwhile`,
      product: `p50 ${short(claimed.latencyMs.p50)}, p99 ${short(claimed.latencyMs.p99)} ms, ${claimed.ok} claims`,
      baseline: '',
      ratio: null,
      target: 'p99 ≤ 500 ms',
      pass: claimed.latencyMs.p99 <= 500,
    },
    {
      what: '  cases in one event of a scope room',
      product: `≤ ${short(delivered.most)}, ${delivered.events} events`,
      baseline: '',
      ratio: null,
      target: '≤ 2,000 cases',
      pass: delivered.most <= 2_000 && delivered.events < run.done / 100,
    },
  ]
}

async function untilEnd(url: string, token: string, runId: string): Promise<Static<typeof RunRow>> {
  const end = sharedNow() + PATIENCE_MS
  for (;;) {
    const { rows } = await call<{ rows: Static<typeof RunRow>[] }>(url, token, listRuns, {})
    const run = rows.find((row) => row.runId === runId)
    if (run && run.state !== 'running') return run
    if (sharedNow() > end)
      throw new Error(`the allocation stands at ${run?.done ?? 0} of ${run?.total ?? 0}`)
    await new Promise((resume) => setTimeout(resume, 200))
  }
}

async function call<Data>(url: string, token: string, e: Endpoint, input: unknown): Promise<Data> {
  const isRead = e.method === 'GET'
  const answer = await fetch(`${url}/api/manage${e.path}`, {
    method: e.method,
    headers: {
      authorization: token,
      'content-type': 'application/json',
      ...(isRead ? {} : { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(isRead ? {} : { body: JSON.stringify(input) }),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: Data }
  if (code !== 200) throw new Error(`${e.path}: ${code} ${msg}`)
  return data
}
