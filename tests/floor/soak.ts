/**
 * `npm run soak`: edge and manage as separate processes, a demo book and the floor working on them,
 * to find memory growth. Their heaps are read after a garbage collection every few seconds; the
 * result is the slope of those readings once all users are there and the bounded stores are full.
 * `--minutes`, `--rate`, `--sockets` as for the floor; default 20, 50 and 500.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_KEY_FILE } from '#gateway/manage/demo/demo-machine-key.ts'
import type { MachineKey } from '#gateway/manage/kernel/machine.ts'
import type { EdgeSettings } from '#tests/load/children/edge-process.ts'
import { Child, stopAll } from '#tests/load/processes.ts'
import { buildProcesses } from '#tests/load/stage.ts'
import { readOptions } from './options.ts'
import { Floor } from './play.ts'
import { slopeOf } from './slope.ts'

const SECRET = 'a secret of the soak'
const READ_MS = 5_000
const PRINT_MS = 15_000
/** Share of the time before the readings count. */
const WARM_UP = 0.3
/**
 * Small, so that it is full by then; a full-sized one would fill during the whole of a short soak.
 */
const RING = { ringEvents: 1_000 }
const MAX_MB_PER_TEN_MINUTES = 1
/** A smaller slope is noise of the garbage collector rather than a leak. */
const JUDGED_MINUTES = 10

interface Reading {
  minute: number
  held: number
  rss: number
}

const given = readOptions(
  ['--rate', '50', '--minutes', '20', '--sockets', '500', ...process.argv.slice(2)],
  process.env,
)
const print = (line: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'console-soak-'))
let code = 1
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  print('building')
  await buildProcesses()
  print('writing the demo book')
  const manage = await Child.start('manage-process', {
    DATA_DIR: folder,
    SEED: 'demo',
    INTERNAL_SECRET: SECRET,
    MACHINE_REVIEW: 'external',
  })
  const { calls, feed } = await manage.ask<{ calls: string; feed: string }>('urls')
  const edge = await Child.start('edge-process', {
    manageUrl: calls,
    feedUrl: feed,
    secret: SECRET,
    staticDir: null,
    limits: RING,
  } satisfies EdgeSettings)
  const key = JSON.parse(readFileSync(join(folder, DEMO_KEY_FILE), 'utf8')) as MachineKey
  const floor = new Floor({ ...given, url: await edge.ask<string>('url'), key, print })
  await floor.open()
  await floor.allThere()
  const readings = { edge: [] as Reading[], manage: [] as Reading[] }
  const begun = performance.now()
  const minute = (): number => (performance.now() - begun) / 60_000
  let printed = 0
  while (minute() < given.minutes) {
    await new Promise((resume) => setTimeout(resume, READ_MS))
    for (const [name, child] of [
      ['edge', edge],
      ['manage', manage],
    ] as const) {
      await child.ask('gc')
      const { heldBytes, rssBytes } = await child.usage()
      readings[name].push({ minute: minute(), held: heldBytes / 1e6, rss: rssBytes / 1e6 })
    }
    if (performance.now() - printed < PRINT_MS) continue
    printed = performance.now()
    const held = (part: keyof typeof readings) =>
      `${part} ${readings[part].at(-1)?.held.toFixed(1)} MB`
    print(`${held('edge')}, ${held('manage')}; ${floor.now}`)
  }
  await floor.close()
  process.stdout.write(`\n${floor.table()}\n\n`)
  const slopes = (['edge', 'manage'] as const).map((name) => growth(name, readings[name]))
  process.stdout.write(`load average ${loadavg()[0]?.toFixed(1)}\n`)
  const grows =
    given.minutes >= JUDGED_MINUTES && slopes.some((slope) => !(slope <= MAX_MB_PER_TEN_MINUTES))
  code = floor.isSound && !grows ? 0 : 1
} finally {
  await end()
}
process.exit(code)

/** @returns MB in ten minutes */
function growth(name: string, readings: readonly Reading[]): number {
  const counted = readings.filter(({ minute }) => minute >= given.minutes * WARM_UP)
  const slope = slopeOf(counted.map(({ minute, held }) => ({ x: minute, y: held }))) * 10
  const [first, last] = [counted[0], counted.at(-1)]
  const verdict =
    given.minutes < JUDGED_MINUTES
      ? 'too short to judge'
      : slope <= MAX_MB_PER_TEN_MINUTES
        ? 'pass'
        : 'MISS'
  process.stdout.write(
    `${name.padEnd(7)} heap ${first?.held.toFixed(1)} → ${last?.held.toFixed(1)} MB, ` +
      `slope ${slope.toFixed(2)} MB in 10 min (at most ${MAX_MB_PER_TEN_MINUTES}: ${verdict}); ` +
      `resident ${first?.rss.toFixed(0)} → ${last?.rss.toFixed(0)} MB\n`,
  )
  return slope
}

async function end(): Promise<void> {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
