/** Clients that send their headers a byte at a time: they are cut off, and nobody waits for them. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest } from './testing/edge-under-test.ts'

const SLOW_CLIENTS = 100
const BYTE_EVERY_MS = 100
const CALL_EVERY_MS = 20

let t: EdgeUnderTest | undefined
afterEach(() => t?.close())

/** @returns what it was answered before the connection was closed */
async function sendSlowly(port: number): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (part: string) => (answer += part))
  // written to after its end
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /api/manage/echo HTTP/1.1\r\nhost: console\r\nx-slow: ')
  const dripping = setInterval(() => socket.write('x'), BYTE_EVERY_MS)
  await once(socket, 'close')
  clearInterval(dripping)
  return answer
}

test('clients that never end their headers are cut off, and calls beside them are answered', async () => {
  t = await edgeUnderTest({ limits: { headersTimeoutMs: 500 } })
  const { port, url } = t
  const slow = Promise.all(Array.from({ length: SLOW_CLIENTS }, () => sendSlowly(port)))
  let areCut = false
  void slow.then(() => (areCut = true))
  const statuses: number[] = []
  while (!areCut) {
    const answer = await fetch(`${url}/api/manage/echo`, { headers: { authorization: 'ravi' } })
    await answer.arrayBuffer()
    statuses.push(answer.status)
    await pause(CALL_EVERY_MS)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(new Set((await slow).map((answer) => answer.split('\r\n')[0]))).toEqual(
    new Set(['HTTP/1.1 408 Request Timeout']),
  )
})
