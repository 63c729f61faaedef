/**
 * One part of the console is killed under load: every listener receives all its events and none of
 * anybody else's.
 */
import { expect, test } from 'vitest'
import type { Cluster, Part } from '#tests/support/cluster.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { type Fault, pause, surviveFaults } from '#tests/support/part-faults.ts'

const kill = (name: string, pick: (cluster: Cluster) => Part): Fault => ({
  name,
  async run(cluster) {
    await cluster.kill(pick(cluster))
    await pause(500)
    await cluster.start(pick(cluster))
  },
})
const FAULTS: readonly Fault[] = [
  kill('kill -9 a core', ({ cores }) => cores[0] as Part),
  kill('kill -9 an edge', ({ edges }) => edges[0] as Part),
  kill('kill -9 the other edge', ({ edges }) => edges[1] as Part),
  kill('kill -9 the last core', ({ cores }) => cores.at(-1) as Part),
  { name: 'all sockets reset', run: async ({ front }) => front.cutAll() },
  { name: 'the feed reset', run: async ({ feed }) => feed.cutAll() },
]

test(`${engine}: after killed cores and edges every listener has each of its events once`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { cutConnections } = chaosDatabase
    const faults = cutConnections
      ? [...FAULTS, { name: 'PostgreSQL drops every connection', run: cutConnections }]
      : FAULTS
    const { recoveries, work, received } = await surviveFaults(chaosDatabase, faults)
    console.info(
      [
        `${engine}: ${work}; ${received}`,
        ...recoveries.map(([name, ms]) => `  ${name}: received again after ${ms} ms`),
      ].join('\n'),
    )
    expect(recoveries).toHaveLength(faults.length)
  } finally {
    await chaosDatabase.drop()
  }
})
