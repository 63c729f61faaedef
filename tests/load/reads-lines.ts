/**
 * Every list, as it opens, with each filter and by each sort key, on a small and on a large book: the
 * time of an answer must not grow with the book. Makes books of its own, of copies of the demo's rows.
 */
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { addFewRows } from '#tests/support/read-plans/few-rows.ts'
import { isList, knownValues, readsOf, withRanges } from '#tests/support/read-plans/list-reads.ts'
import { multiplyBook } from '#tests/support/read-plans/multiply-book.ts'
import { spreadOf } from './measure.ts'
import type { Ground } from './stage.ts'
import { type Line, short } from './table.ts'

/** Orders of the books; PGlite is for a small lender. `--orders` says another large one. */
const SIZES = { PostgreSQL: [10_000, 1_000_000], PGlite: [10_000, 100_000] } as const
/** Rows of the other tables are this share of the orders. */
const OTHERS = 0.3
const CALLS = 12
const MOST_MS = 50
const MOST_RATIO = 1.5
/** Below this a ratio is that of two overheads. */
const NOISE_MS = 5

/** It differs between the books, whose reads are compared by name. */
const MOMENT = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/

/** Reads named beside a list, and in the lines at the end. */
const NAMED = 3
const WORST = 20

interface Timing {
  /** The fastest call: what runs beside it only makes calls slower. */
  best: number
  p95: number
}

interface Timed {
  list: string
  /** How the list was asked. */
  name: string
  now: Timing
  was: Timing
  ratio: number
}

export async function readLines({ engine, orders: wanted }: Ground): Promise<Line[]> {
  const [small, large] = SIZES[engine]
  const orders = [small, wanted ?? large] as const
  const before = await timedReads(orders[0])
  const after = await timedReads(orders[1])
  const reads = [...after].map(([full, now]): Timed => {
    const list = full.split(' ').slice(0, 2).join(' ')
    const was = before.get(full) ?? now
    const ratio = Math.max(now.best, NOISE_MS) / Math.max(was.best, NOISE_MS)
    return { list, name: full.slice(list.length).trim() || 'as it opens', now, was, ratio }
  })
  const sizes = orders.map((size) => size.toLocaleString('en-US')).join(' → ')
  return [
    ...[...new Set(reads.map(({ list }) => list))].map((list) => {
      const its = reads.filter((read) => read.list === list)
      return lineOf(`${list}, ${its.length} reads, ${sizes} orders (${engine})`, its)
    }),
    ...reads
      .toSorted((a, b) => b.now.best - a.now.best)
      .slice(0, WORST)
      .map((read) => lineOf(`  ${read.list} ${read.name}`, [read])),
  ]
}

/** The slowest of some reads, and how many of them miss the target. */
function lineOf(what: string, reads: readonly Timed[]): Line {
  const sorted = reads.toSorted((a, b) => b.now.best - a.now.best)
  const worst = sorted[0] as Timed
  const over = sorted.filter(({ now, ratio }) => now.p95 > MOST_MS || ratio > MOST_RATIO)
  const named = over
    .slice(0, NAMED)
    .map(({ name, now, ratio }) => `${name} ${short(now.best)} ms ${ratio.toFixed(1)}×`)
  const some =
    reads.length > 1 && over.length > 0 ? `; ${over.length} over: ${named.join('; ')}` : ''
  return {
    what,
    product: `${short(worst.now.best)} ms, p95 ${short(worst.now.p95)} ms${some}`,
    baseline: `${short(worst.was.best)} ms, p95 ${short(worst.was.p95)} ms`,
    ratio: Math.max(...reads.map(({ ratio }) => ratio)),
    target: `≤ ${MOST_RATIO}×, p95 ≤ ${MOST_MS} ms`,
    pass: over.length === 0,
  }
}

/** The reads of a manager and of an administrator, on a book of so many orders. */
async function timedReads(orders: number): Promise<Map<string, Timing>> {
  const floor = await testManage()
  try {
    await seedDemo(floor.context, { customers: 150 })
    await addFewRows(floor.database)
    await multiplyBook(floor.database, { main: orders, other: orders * OTHERS, isWhole: true })
    return await timeAll(floor)
  } finally {
    await floor.close()
  }
}

async function timeAll(floor: Floor): Promise<Map<string, Timing>> {
  const { endpoints } = floor.manage
  const known = withRanges(await knownValues(floor.database.kysely), endpoints)
  const person = await floor.signIn('administrator')
  const timings = new Map<string, Timing>()
  for (const endpoint of endpoints.filter(isList))
    for (const { name, input } of readsOf(endpoint, known)) {
      const taken: number[] = []
      for (let n = 0; n <= CALLS; n += 1) {
        const began = performance.now()
        const answer = (await person.send(endpoint, input)).json<Envelope<unknown>>()
        // the first call fills caches, and says whether there is such a sort key
        if (answer.code !== 200) break
        if (n > 0) taken.push(performance.now() - began)
      }
      if (taken.length > 0)
        timings.set(name.replace(MOMENT, 'a moment'), {
          best: Math.min(...taken),
          p95: spreadOf(taken).p95,
        })
    }
  return timings
}
