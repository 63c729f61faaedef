import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest
afterEach(() => t.close())

/** A reader that stops reading once it is live. */
async function stuck(token: string): Promise<{ isOver: () => boolean; socket: WebSocket }> {
  const socket = new WebSocket(`ws://127.0.0.1:${t.port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { origin: `http://127.0.0.1:${t.port}` },
  })
  let over = false
  let live = false
  socket.on('message', (data) => {
    if (String(data).startsWith('0')) socket.send(`40/ops,{"token":"${token}"}`)
    else if (String(data).includes('"upTo"')) live = true
  })
  socket.on('close', () => (over = true))
  socket.on('error', () => undefined)
  await until(() => live)
  socket.pause()
  return { isOver: () => over, socket }
}

test.each([
  ['by bytes', { bufferedBytes: 1_000_000, coalesceMs: 1 }],
  ['by packets', { writeBufferPackets: 40, coalesceMs: 1 }],
])('a reader that falls behind is cut %s; its neighbour misses nothing', async (_how, limits) => {
  t = await edgeUnderTest({ limits })
  t.manage.addSession('slow', { rooms: ['all'] })
  t.manage.addSession('quick', { rooms: ['all'] })
  const quick = await t.connect('quick').live()
  const slow = await stuck('slow')
  const text = 'x'.repeat(60_000)
  let cut = ''
  for (let i = 0; i < 2_000 && !cut.includes('reason="slow"} 1'); i++) {
    t.manage.append({ subject: 'order:1', audience: ['all'], data: { text } })
    await until(() => quick.upTo === t.manage.head())
    cut = await t.edge.registry.getSingleMetricAsString('live_sockets_cut_total')
  }
  expect(cut).toContain('reason="slow"} 1')
  expect(quick.seqs).toEqual(Array.from({ length: t.manage.head() }, (_, i) => i + 1))
  slow.socket.resume()
  await until(slow.isOver)
})
