/**
 * Thirty network faults between users, edges and cores, one after the other under a working floor.
 */
import { expect, test } from 'vitest'
import type { Cluster } from '#tests/support/cluster.ts'
import type { WireMode } from '#tests/support/fault-proxy.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { type Fault, pause, surviveFaults } from '#tests/support/part-faults.ts'

const WIRES: readonly { name: string; pick: (cluster: Cluster) => Cluster['front'] }[] = [
  { name: 'between people and edges', pick: ({ front }) => front },
  { name: 'between edges and cores', pick: ({ calls }) => calls },
  { name: 'on the feed', pick: ({ feed }) => feed },
]
const MODES: readonly WireMode[] = [
  { kind: 'cut' },
  { kind: 'blackHole' },
  { kind: 'delay', ms: 300, jitterMs: 200 },
  { kind: 'slow', bytesPerSecond: 20_000 },
  { kind: 'slice', bytes: 64 },
]
const DURATIONS_MS = [400, 3_000] as const

const FAULTS: readonly Fault[] = DURATIONS_MS.flatMap((ms) =>
  MODES.flatMap((mode) =>
    WIRES.map(({ name, pick }) => ({
      name: `${mode.kind} for ${ms} ms ${name}`,
      async run(cluster: Cluster) {
        pick(cluster).set(mode)
        await pause(ms)
        pick(cluster).set({ kind: 'pass' })
      },
    })),
  ),
)

test(`${engine}: thirty network faults lose and duplicate no event and send none to others`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { recoveries, work, received } = await surviveFaults(chaosDatabase, FAULTS)
    console.info(
      [
        `${engine}: ${work}; ${received}`,
        ...recoveries.map(([name, ms]) => `  ${name}: received again after ${ms} ms`),
      ].join('\n'),
    )
    expect(recoveries).toHaveLength(30)
  } finally {
    await chaosDatabase.drop()
  }
})
