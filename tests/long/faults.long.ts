/** Thirty faults of the wires between people, edges and cores, one after the other under a working floor (trust.md A1-A3). */
import { expect, test } from 'vitest'
import type { Cluster } from '#tests/support/cluster.ts'
import type { WireMode } from '#tests/support/fault-proxy.ts'
import { engine, makeGround } from '#tests/support/ground.ts'
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

test(`${engine}: thirty faults of the wires lose nothing, double nothing and tell nobody what is not his`, async () => {
  const ground = await makeGround()
  try {
    const { recoveries, work, heard } = await surviveFaults(ground, FAULTS)
    console.info(
      `${engine}: ${work}; ${heard}\n${recoveries.map(([name, ms]) => `  ${name}: heard again after ${ms} ms`).join('\n')}`,
    )
    expect(recoveries).toHaveLength(30)
  } finally {
    await ground.drop()
  }
})
