/**
 * `npm run bench`: one table. Each line sets the product beside something bare in the same run, in turns, because a figure of a
 * shared machine says little and a ratio says much. Names of groups as arguments run only those: `npm run bench -- lists claims`.
 */
import { cpus, loadavg } from 'node:os'
import { claimLines } from './claims-lines.ts'
import { listLines } from './lists-lines.ts'
import { stopAll } from './processes.ts'
import { type Bench, buildAll, setStage } from './stage.ts'
import { type Line, printTable } from './table.ts'

const GROUPS: Record<string, (bench: Bench) => Promise<Line[]>> = { lists: listLines, claims: claimLines }

const began = performance.now()
const say = (text: string): void => void process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`)
const wanted = process.argv.slice(2)
const groups = Object.entries(GROUPS).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const load = [loadavg()[0] as number]
const lines: Line[] = []
say('building')
await buildAll()
say('writing the book')
const bench = await setStage()
try {
  for (const [name, measure] of groups) {
    say(name)
    lines.push(...(await measure(bench)))
    load.push(loadavg()[0] as number)
  }
} finally {
  await stopAll()
  await bench.book.drop()
}
process.stdout.write(`\n${printTable(lines)}\n\nNode ${process.version}, ${cpus().length} processors, ${bench.book.engine}; load average ${load.map((one) => one.toFixed(1)).join(' → ')}; ${Math.round((performance.now() - began) / 1_000)} s\n`)
process.exit(lines.some((line) => line.pass === false) ? 1 : 0)
