/**
 * `npm run bench`: one table. Each line compares the product with a bare baseline in the same run,
 * in turns, because on a shared machine ratios are more reliable than absolute figures. Group names
 * as arguments run only those: `npm run bench -- lists claims`; `--orders` is the size of the large
 * book of `reads` and `reports`. A missed target is a result like any other; only a crash exits with 1.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { agedLines } from './aged-lines.ts'
import { allocationLines } from './allocation-lines.ts'
import { type Book, makeBook } from './book.ts'
import { claimLines } from './claims-lines.ts'
import { dayLines } from './day-lines.ts'
import { gridLines } from './grid-lines.ts'
import { listLines } from './lists-lines.ts'
import { fanOutLines, promptLines } from './live-lines.ts'
import { paymentLines } from './payments-lines.ts'
import { readLines } from './reads-lines.ts'
import { Child, stopAll } from './processes.ts'
import { reportLines } from './reports-lines.ts'
import { scaleLines } from './scale-lines.ts'
import { screenLines } from './screen-lines.ts'
import { sizeLines } from './size-lines.ts'
import { type Bench, buildAll, type Ground, setStage } from './stage.ts'
import { startLines } from './start-lines.ts'
import { type Line, printTable } from './table.ts'
import { wallLines } from './wall-lines.ts'

const STAGED: Record<string, (bench: Bench) => Promise<Line[]>> = {
  lists: listLines,
  claims: claimLines,
  payments: paymentLines,
  prompt: promptLines,
  aged: agedLines,
  screen: screenLines,
  fanout: fanOutLines,
  start: startLines,
  size: sizeLines,
  grid: gridLines,
  allocation: allocationLines,
  wall: wallLines,
  scale: scaleLines,
  day: dayLines,
}
/** These make books of their own. */
const ALONE: Record<string, (ground: Ground) => Promise<Line[]>> = {
  reads: readLines,
  reports: reportLines,
}

const began = performance.now()
const print = (text: string): void =>
  void process.stderr.write(
    `${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`,
  )
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { orders: { type: 'string' } },
})
const isWanted = ([name]: [string, unknown]): boolean =>
  wanted.length === 0 || wanted.includes(name)
const staged = Object.entries(STAGED).filter(isWanted)
const alone = Object.entries(ALONE).filter(isWanted)
const load = [loadavg()[0] as number]
const lines: Line[] = []
const crashed: string[] = []
const books = new Set<Book>()
const ground: Ground = {
  engine: process.env.TEST_DATABASE_URL === undefined ? 'PGlite' : 'PostgreSQL',
  orders: values.orders === undefined ? null : Number(values.orders),
  print,
  start: (script, settings) => Child.start(script, settings),
  async makeBook(size) {
    const book = await makeBook(process.env.TEST_DATABASE_URL, size)
    books.add(book)
    return book
  },
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
print('building')
const metafile = await buildAll()
try {
  for (const [name, measure] of alone) await run(name, (own) => measure({ ...ground, ...own }))
  if (staged.length > 0) {
    print('writing the book')
    const stage = await setStage(ground, metafile)
    for (const [name, measure] of staged) await run(name, (own) => measure({ ...stage, ...own }))
  }
} finally {
  await end()
}
const seconds = Math.round((performance.now() - began) / 1_000)
const loads = load.map((one) => one.toFixed(1)).join(' → ')
process.stdout.write(
  `\n${printTable(lines)}\n\nNode ${process.version}, ${cpus().length} processors, ` +
    `${ground.engine}; load average ${loads}; ${seconds} s\n`,
)
if (crashed.length > 0)
  process.stdout.write(`Not measured, because it crashed: ${crashed.join(', ')}\n`)
process.exit(crashed.length > 0 ? 1 : 0)

/** A group leaves nothing running: the database of a baseline belongs to one process. */
async function run(
  name: string,
  measure: (own: Pick<Ground, 'start' | 'makeBook'>) => Promise<Line[]>,
): Promise<void> {
  print(name)
  const children: Child[] = []
  const made: Book[] = []
  try {
    const measured = await measure({
      async start(script, settings) {
        const child = await ground.start(script, settings)
        children.push(child)
        return child
      },
      async makeBook(size) {
        const book = await ground.makeBook(size)
        made.push(book)
        return book
      },
    })
    lines.push(...measured)
  } catch (error) {
    crashed.push(name)
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    print(`${name} crashed: ${why}`)
  }
  for (const child of children) await child.stop()
  for (const book of made) await dropped(book)
  load.push(loadavg()[0] as number)
}

async function dropped(book: Book): Promise<void> {
  if (books.delete(book)) await book.drop()
}

async function end(): Promise<void> {
  await stopAll()
  for (const book of books) await dropped(book)
}
