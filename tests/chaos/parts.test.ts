/** One part of the console dies while people work and listen: nobody misses an event, nobody hears what is not his (trust.md A1-A3). */
import { expect, test } from 'vitest'
import type { Cluster, Part } from '#tests/support/cluster.ts'
import { engine, makeGround } from '#tests/support/ground.ts'
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

test(`${engine}: cores and edges die one after the other and every listener hears everything of his rooms, once`, async () => {
  const ground = await makeGround()
  try {
    const { cutConnections } = ground
    const faults = cutConnections
      ? [...FAULTS, { name: 'PostgreSQL drops every connection', run: cutConnections }]
      : FAULTS
    const { recoveries, work, heard } = await surviveFaults(ground, faults)
    console.info(
      `${engine}: ${work}; ${heard}\n${recoveries.map(([name, ms]) => `  ${name}: heard again after ${ms} ms`).join('\n')}`,
    )
    expect(recoveries).toHaveLength(faults.length)
  } finally {
    await ground.drop()
  }
})
