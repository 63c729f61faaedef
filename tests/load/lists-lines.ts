/** The order list through the edge compared with a plain handler, and the cost of the hop. */
import type { CallersResult } from './children/callers.ts'
import type { HttpLoad } from './children/http-load.ts'
import { median, medianRatio, takeTurns } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short, medianText } from './table.ts'

const ROUNDS = 4
const ROUND_MS = 3_000
const CALLERS = 16
const PATH = '/api/manage/order/list?pageNum=1&pageSize=50'

export async function listLines(bench: Bench): Promise<Line[]> {
  const { book, edge, edgeUrl, manage, start } = bench
  const plain = await start('plain-list', book.bare)
  const load = await start('http-load')
  const url = await plain.ask<string>('url')
  const product = {
    url: edgeUrl,
    method: 'GET',
    path: PATH,
    tokens: book.tokens.managers.slice(0, CALLERS),
    callers: CALLERS,
    ms: ROUND_MS,
  } satisfies HttpLoad
  const baseline = { ...product, url, tokens: [] } satisfies HttpLoad
  const run = async (what: HttpLoad): Promise<CallersResult> =>
    whole(await load.ask<CallersResult>('run', what))
  await takeTurns(
    1,
    () => run({ ...product, ms: 1_500 }),
    () => run({ ...baseline, ms: 1_500 }),
  )

  const cpu = { edge: 0, manage: 0, plain: 0 }
  const { a, b } = await takeTurns(
    ROUNDS,
    async () => {
      const before = [await edge.usage(), await manage.usage()] as const
      const result = await run(product)
      cpu.edge += (await edge.usage()).cpuMs - before[0].cpuMs
      cpu.manage += (await manage.usage()).cpuMs - before[1].cpuMs
      return result
    },
    async () => {
      const before = await plain.usage()
      const result = await run(baseline)
      cpu.plain += (await plain.usage()).cpuMs - before.cpuMs
      return result
    },
  )
  const ratio = medianRatio(
    a.map((r) => r.perSecond),
    b.map((r) => r.perSecond),
  )
  const asked = a.reduce((sum, r) => sum + r.ok, 0)
  const hop = await hopLine(bench, { ...product, path: '/api/manage/sysRole/current' }, run)
  await plain.stop()
  await load.stop()
  const plainAsked = b.reduce((sum, r) => sum + r.ok, 0)
  const [edgeUs, manageUs, plainUs] = [
    cpu.edge / asked,
    cpu.manage / asked,
    cpu.plain / plainAsked,
  ].map((ms) => short(ms * 1_000))
  return [
    {
      what:
        `order list, 50 of ${book.orders.toLocaleString('en-US')} rows with total, ` +
        `${CALLERS} callers (${book.engine})`,
      ratio,
      target: '≥ 1.0×',
      pass: ratio >= 1,
      product: `${medianText(a, (r) => r.perSecond)}/s, p99 ${medianText(a, (r) => r.latencyMs.p99)} ms`,
      baseline: `${medianText(b, (r) => r.perSecond)}/s, p99 ${medianText(b, (r) => r.latencyMs.p99)} ms`,
    },
    {
      what: '  processor time of one list: edge + manage, handler',
      ratio: null,
      target: '',
      pass: null,
      product: `${edgeUs} + ${manageUs} µs, ${short(a[0]?.bytes ?? 0)} bytes`,
      baseline: `${plainUs} µs, ${short(b[0]?.bytes ?? 0)} bytes`,
    },
    hop,
  ]
}

/** The cost of the hop through the edge, in turns with the bare proxy library. */
async function hopLine(
  { edge, edgeUrl, manageUrl, start }: Bench,
  call: HttpLoad,
  run: (what: HttpLoad) => Promise<CallersResult>,
): Promise<Line> {
  const bare = await start('bare-proxy', { manageUrl })
  const bareUrl = await bare.ask<string>('url')
  const micros = async (
    child: Bench['edge'],
    url: string,
  ): Promise<{ micros: number; p50: number }> => {
    const before = await child.usage()
    const { ok, latencyMs } = await run({ ...call, url, ms: 2_000 })
    return {
      micros: (((await child.usage()).cpuMs - before.cpuMs) / ok) * 1_000,
      p50: latencyMs.p50,
    }
  }
  await takeTurns(
    1,
    () => micros(edge, edgeUrl),
    () => micros(bare, bareUrl),
  )
  const { a, b } = await takeTurns(
    ROUNDS,
    () => micros(edge, edgeUrl),
    () => micros(bare, bareUrl),
  )
  await bare.stop()
  const own = median(a.map((round) => round.micros))
  return {
    what: 'hop through the edge, processor time of one call',
    product: `${short(own)} µs (p50 ${medianText(a, (round) => round.p50)} ms, ${CALLERS} callers)`,
    baseline: `${medianText(b, (round) => round.micros)} µs (@fastify/http-proxy alone)`,
    ratio: null,
    target: '≤ 120 µs',
    pass: own <= 120,
  }
}

function whole(result: CallersResult): CallersResult {
  if (result.refused.count > result.ok / 100)
    throw new Error(`${result.refused.count} calls failed, the first: ${result.refused.first}`)
  return result
}
