import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { writeFrame } from './backpressure.ts'
import type { Connection } from './connection.ts'
import { encodeFrame } from './frame.ts'

test('a connection that is closing gets no frame after the closing one', async () => {
  const server = createServer()
  const io = new Server(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  client.on('open', () => client.send('40'))
  let written: boolean | undefined
  let isAsked = false
  io.on('connection', (socket) => {
    const { transport } = socket.conn as unknown as { transport: { socket: WebSocket } }
    transport.socket.close()
    // frames encoded before go straight to the sender of ws, which checks nothing
    Object.assign(Reflect.get(transport.socket, '_sender') as object, {
      sendFrame: () => (isAsked = true),
    })
    const bounds = { writeBufferPackets: 10, bufferedBytes: 1_000 }
    written = writeFrame({ socket, backlog: 0 } as Connection, encodeFrame(1, []), bounds)
  })
  await new Promise((resolve) => client.on('close', resolve))
  await io.close()
  expect([written, isAsked]).toEqual([true, false])
})
