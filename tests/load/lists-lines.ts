/** The order list through the edge against a plain handler, and what the hop through the edge costs. */
import type { HttpLoad, HttpLoadResult } from './children/http-load.ts'
import { median, medianRatio, takeTurns } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const ROUNDS = 4
const ROUND_MS = 3_000
const CALLERS = 16
const PATH = '/api/manage/order/list?pageNum=1&pageSize=50'

export async function listLines({ book, edge, edgeUrl, manage, start }: Bench): Promise<Line[]> {
  const plain = await start('plain-list', book.bare)
  const load = await start('http-load')
  const url = await plain.ask<string>('url')
  const product = { url: edgeUrl, method: 'GET', path: PATH, tokens: book.tokens.managers.slice(0, CALLERS), callers: CALLERS, ms: ROUND_MS } satisfies HttpLoad
  const baseline = { ...product, url, tokens: [] } satisfies HttpLoad
  const run = async (what: HttpLoad): Promise<HttpLoadResult> => whole(await load.ask<HttpLoadResult>('run', what))
  await takeTurns(1, () => run({ ...product, ms: 1_500 }), () => run({ ...baseline, ms: 1_500 }))

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
  const ratio = medianRatio(a.map((r) => r.perSecond), b.map((r) => r.perSecond))
  const asked = a.reduce((sum, r) => sum + r.ok, 0)
  const hop = await hopLine(edge, (ms) => run({ ...product, path: '/api/manage/sysRole/current', ms }))
  await plain.stop()
  await load.stop()
  return [
    {
      what: `order list, 50 of ${book.orders.toLocaleString('en-US')} rows with total, ${CALLERS} callers (${book.engine})`, ratio, target: '≥ 1.0×', pass: ratio >= 1,
      product: `${short(median(a.map((r) => r.perSecond)))}/s, p99 ${short(median(a.map((r) => r.latencyMs.p99)))} ms`, baseline: `${short(median(b.map((r) => r.perSecond)))}/s, p99 ${short(median(b.map((r) => r.latencyMs.p99)))} ms`,
    },
    {
      what: '  processor time of one list: edge + manage, handler', ratio: null, target: '', pass: null,
      product: `${short((cpu.edge / asked) * 1_000)} + ${short((cpu.manage / asked) * 1_000)} µs, ${short(a[0]?.bytes ?? 0)} bytes`, baseline: `${short((cpu.plain / b.reduce((sum, r) => sum + r.ok, 0)) * 1_000)} µs, ${short(b[0]?.bytes ?? 0)} bytes`,
    },
    hop,
  ]
}

async function hopLine(edge: Bench['edge'], run: (ms: number) => Promise<HttpLoadResult>): Promise<Line> {
  await run(1_500)
  const before = await edge.usage()
  const { ok, latencyMs } = await run(4_000)
  const micros = (((await edge.usage()).cpuMs - before.cpuMs) / ok) * 1_000
  return { what: 'hop through the edge, processor time of one call', product: `${short(micros)} µs (p50 ${short(latencyMs.p50)} ms, ${CALLERS} callers)`, baseline: 'no hop', ratio: null, target: '≤ 150 µs', pass: micros <= 150 }
}

function whole(result: HttpLoadResult): HttpLoadResult {
  if (result.refused.count > result.ok / 100) throw new Error(`${result.refused.count} calls failed, the first: ${result.refused.first}`)
  return result
}
