/**
 * `npm run soak`: edge and manage as processes of their own, a demo book, the floor at work on them - and does what they hold grow?
 * Their heaps are read after a collection every few seconds; what counts is the slope of those readings once everybody is there
 * and the bounded stores are full. `--minutes`, `--rate`, `--sockets` as of the floor; 20, 50 and 500 when left out.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_KEY_FILE } from '#gateway/manage/db/seed/demo-machine-key.ts'
import type { MachineKey } from '#gateway/manage/kernel/machine.ts'
import type { EdgeSettings } from '#tests/load/children/edge-process.ts'
import { Child, stopAll } from '#tests/load/processes.ts'
import { buildProcesses } from '#tests/load/stage.ts'
import { readOptions } from './options.ts'
import { Floor } from './play.ts'
import { slopeOf } from './slope.ts'

const SECRET = 'a secret of the soak'
const READ_MS = 5_000
const SAY_MS = 15_000
/** Of the time, until the readings count. */
const WARM_UP = 0.3
/** Small, so that it is full when they do; a full-sized one fills for as long as a short soak lasts. */
const RING = { ringEvents: 1_000 }
const MAX_MB_PER_TEN_MINUTES = 1
/** Below it a slope says more of the garbage of the moment than of a leak. */
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
const say = (line: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'console-soak-'))
let code = 1
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  say('building')
  await buildProcesses()
  say('writing the demo book')
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
  const floor = new Floor({ ...given, url: await edge.ask<string>('url'), key, say })
  await floor.open()
  await floor.allThere()
  const readings = { edge: [] as Reading[], manage: [] as Reading[] }
  const begun = performance.now()
  const minute = (): number => (performance.now() - begun) / 60_000
  let said = 0
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
    if (performance.now() - said < SAY_MS) continue
    said = performance.now()
    say(
      `edge ${readings.edge.at(-1)?.held.toFixed(1)} MB, manage ${readings.manage.at(-1)?.held.toFixed(1)} MB; ${floor.now}`,
    )
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
    `${name.padEnd(7)} heap ${first?.held.toFixed(1)} → ${last?.held.toFixed(1)} MB, slope ${slope.toFixed(2)} MB in 10 min (at most ${MAX_MB_PER_TEN_MINUTES}: ${verdict}); resident ${first?.rss.toFixed(0)} → ${last?.rss.toFixed(0)} MB\n`,
  )
  return slope
}

async function end(): Promise<void> {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
