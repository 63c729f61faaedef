/**
 * Pages of lists while the book grows to a million loans: the response time must not grow with it.
 * Runs last, so that nothing else is measured on so large a book.
 */
import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import type { Growth } from './growth.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

/** Loans added, one growth after the other. PGlite is for a small lender. */
const GROWTHS = { PostgreSQL: [100_000, 900_000], PGlite: [100_000] } as const
const ROUND_MS = 2_500
const CALLERS = 4

interface Asked {
  what: string
  path: string
  by: 'manager' | 'collector'
  /** Ratio to its time on the small book. */
  most: number
}
const LISTS: readonly Asked[] = [
  {
    what: 'order list, first page',
    path: '/order/list?pageNum=1&pageSize=50',
    by: 'manager',
    most: 1.5,
  },
  {
    what: 'order list, page 100',
    path: '/order/list?pageNum=100&pageSize=50',
    by: 'manager',
    most: 1.5,
  },
  {
    what: 'order list, one status',
    path: '/order/list?pageNum=1&pageSize=50&status=30',
    by: 'manager',
    most: 1.5,
  },
  {
    what: 'loan list, first page',
    path: '/loan/list?pageNum=1&pageSize=50',
    by: 'manager',
    most: 1.5,
  },
  {
    what: 'customers by the beginning of a name',
    path: '/userInfo/list?pageNum=1&pageSize=50&name=Rahul',
    by: 'manager',
    most: 1.5,
  },
  {
    what: 'a collector with their cases',
    path: '/collection/case/list?tab=toFollow&pageNum=1&pageSize=50',
    by: 'collector',
    most: 2,
  },
]

interface Timing {
  p50: number
  p99: number
  /** Ratio of a concurrent call that reads no list: noise of the machine. */
  beside: number
}

export async function scaleLines({ book, edgeUrl, manage, start }: Bench): Promise<Line[]> {
  const load = await start('http-load')
  const run = async (path: string, token: string, ms: number): Promise<CallersResult> => {
    const result = await load.ask<CallersResult>('run', {
      url: edgeUrl,
      method: 'GET',
      path: `/api/manage${path}`,
      tokens: [token],
      callers: CALLERS,
      ms,
    } satisfies HttpLoad)
    if (result.refused.count > 0)
      throw new Error(
        `${path} was refused ${result.refused.count} times, the first: ${result.refused.first}`,
      )
    return result
  }
  async function takeAll(): Promise<Timing[]> {
    const timings: Timing[] = []
    for (const { path, by } of LISTS) {
      const token = by === 'collector' ? book.tokens.collector : (book.tokens.managers[0] as string)
      await run(path, token, 500)
      const beside = await run('/sysRole/current', token, ROUND_MS / 2)
      const { latencyMs } = await run(path, token, ROUND_MS)
      timings.push({ p50: latencyMs.p50, p99: latencyMs.p99, beside: beside.latencyMs.p50 })
    }
    return timings
  }
  const sizes = [book.orders]
  const rounds = [await takeAll()]
  for (const [n, cases] of GROWTHS[book.engine].entries()) {
    await manage.ask('grow', { cases, prefix: `G${n}` } satisfies Growth)
    sizes.push((sizes.at(-1) as number) + cases)
    rounds.push(await takeAll())
  }
  await load.stop()
  return LISTS.map(({ what, most }, n) => {
    const [small, ...grown] = rounds.map((round) => round[n] as Timing) as [Timing, ...Timing[]]
    const large = grown.at(-1) as Timing
    const ratio = large.p50 / large.beside / (small.p50 / small.beside)
    return {
      what: `${what}, ${sizes.map((size) => size.toLocaleString('en-US')).join(' → ')} loans (${book.engine})`,
      ratio,
      target: `≤ ${most}×`,
      pass: ratio <= most,
      product: `p50 ${grown.map((timings) => short(timings.p50)).join(' → ')}, p99 ${short(large.p99)} ms`,
      baseline: `p50 ${short(small.p50)}, p99 ${short(small.p99)} ms`,
    }
  })
}
