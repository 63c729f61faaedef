/** Baseline of the fan-out without Socket.IO: a `ws` server that writes one text to everyone. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { LIVE_NAMESPACE } from '#shared/kernel/live.ts'
import { sharedNow } from '../measure.ts'
import { bareFrame } from './bare-event.ts'
import type { EmitLoad } from './bare-socketio.ts'
import { serveBench } from './child.ts'
import type { Commits } from './manage-process.ts'
import { atPace } from './pace.ts'

const server = createServer()
const sockets = new WebSocketServer({ server })
let seq = 0

serveBench({
  start: () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  emit,
})

async function emit({ perSecond, count }: EmitLoad): Promise<Commits> {
  const sent: Commits = []
  await atPace(perSecond, count, () => {
    seq += 1
    const text = `42${LIVE_NAMESPACE},${JSON.stringify(['event', bareFrame(seq, 'L1', seq)])}`
    sent.push([`order:L1 ${seq}`, sharedNow()])
    for (const socket of sockets.clients) socket.send(text)
  })
  return sent
}
