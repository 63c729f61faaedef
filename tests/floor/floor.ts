/**
 * `npm run floor`: simulates customers, payments and staff on a running console, so that all
 * screens show live data; ends with one table.
 */
import { readOptions } from './options.ts'
import { Floor } from './play.ts'

const PRINT_MS = 10_000

function options() {
  try {
    return readOptions(process.argv.slice(2), process.env)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

const given = options()
const print = (line: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)
const floor = new Floor({ ...given, print })
let ending: () => void = () => undefined
const end = new Promise<void>((resolve) => (ending = resolve))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending())
try {
  await floor.open()
} catch (error) {
  const why = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    `The floor cannot open at ${given.url}: ${why}. Is the console running, with demo data?\n`,
  )
  process.exit(1)
}
const progress = setInterval(() => print(floor.now), PRINT_MS)
const late = setTimeout(ending, given.minutes * 60_000)
await end
clearTimeout(late)
clearInterval(progress)
print('closing')
await floor.close()
process.stdout.write(`\n${floor.table()}\n`)
process.exit(floor.isSound ? 0 : 1)
