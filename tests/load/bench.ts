/**
 * `npm run bench`: one table. Each line compares the product with a bare baseline in the same run,
 * in turns, because on a shared machine ratios are more reliable than absolute figures. Group names
 * as arguments run only those: `npm run bench -- lists claims`. A missed target is a result like
 * any other; only a crash exits with 1.
 */
import { cpus, loadavg } from 'node:os'
import { agedLines } from './aged-lines.ts'
import { allocationLines } from './allocation-lines.ts'
import { claimLines } from './claims-lines.ts'
import { dayLines } from './day-lines.ts'
import { gridLines } from './grid-lines.ts'
import { listLines } from './lists-lines.ts'
import { fanOutLines, promptLines } from './live-lines.ts'
import { paymentLines } from './payments-lines.ts'
import { readLines } from './reads-lines.ts'
import { type Child, stopAll } from './processes.ts'
import { reportLines } from './reports-lines.ts'
import { scaleLines } from './scale-lines.ts'
import { screenLines } from './screen-lines.ts'
import { sizeLines } from './size-lines.ts'
import { type Bench, buildAll, setStage } from './stage.ts'
import { startLines } from './start-lines.ts'
import { type Line, printTable } from './table.ts'
import { wallLines } from './wall-lines.ts'

const GROUPS: Record<string, (bench: Bench) => Promise<Line[]>> = {
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
  reads: readLines,
  day: dayLines,
  reports: reportLines,
}

const began = performance.now()
const say = (text: string): void =>
  void process.stderr.write(
    `${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`,
  )
const wanted = process.argv.slice(2)
const groups = Object.entries(GROUPS).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
)
const load = [loadavg()[0] as number]
const lines: Line[] = []
const crashed: string[] = []
say('building')
const metafile = await buildAll()
say('writing the book')
const bench = await setStage(metafile)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  for (const [name, measure] of groups) {
    say(name)
    // A crashed group must leave nothing running: the baseline's database belongs to one process.
    const started: Child[] = []
    const start: Bench['start'] = async (script, settings) => {
      const child = await bench.start(script, settings)
      started.push(child)
      return child
    }
    try {
      lines.push(...(await measure({ ...bench, start })))
    } catch (error) {
      crashed.push(name)
      say(
        `${name} crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      for (const child of started) await child.stop()
    }
    load.push(loadavg()[0] as number)
  }
} finally {
  await end()
}
const seconds = Math.round((performance.now() - began) / 1_000)
const loads = load.map((one) => one.toFixed(1)).join(' → ')
process.stdout.write(
  `\n${printTable(lines)}\n\nNode ${process.version}, ${cpus().length} processors, ` +
    `${bench.book.engine}; load average ${loads}; ${seconds} s\n`,
)
if (crashed.length > 0)
  process.stdout.write(`Not measured, because it crashed: ${crashed.join(', ')}\n`)
process.exit(crashed.length > 0 ? 1 : 0)

async function end(): Promise<void> {
  await stopAll()
  await bench.book.drop()
}
