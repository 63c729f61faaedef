import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { UNREAD_HEADER } from '#shared/kernel/endpoint.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

let floor: Floor
afterEach(() => floor.close())

test('a core that shuts down is unready, still answers, and closes each connection', async () => {
  floor = await testManage({ parts: () => ({}) })
  const { app, internal } = floor.manage
  const ready = () => internal.inject('/readyz')
  expect((await ready()).statusCode).toBe(200)
  floor.manage.leave()
  expect((await ready()).json()).toMatchObject({ status: 'draining' })
  expect((await ready()).statusCode).toBe(503)
  const answer = await app.inject('/api/manage/get/time')
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
})

test('a request that reaches a closing core on a kept connection is refused in the envelope', async () => {
  let begun = (): void => undefined
  let finish = (): void => undefined
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  floor = await testManage({
    parts: (_context, app) => ({
      routes: () =>
        app.get('/slow', { config: { open: 'test' } as never }, async () => {
          begun()
          await isFinished
          return { code: 200 }
        }),
    }),
  })
  const { app } = floor.manage
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
  await isBegun
  const closed = floor.manage.close()
  socket.write('GET /api/manage/get/time HTTP/1.1\r\nHost: h\r\n\r\n')
  const refused = new Promise<void>((resolve) => app.server.once('request', () => resolve()))
  await refused
  finish()
  await closed
  const [, slow = '', later = ''] = received.split('HTTP/1.1 ')
  expect(slow).toMatch(/^200 /)
  expect(later).toMatch(/^503 /)
  expect(later.toLowerCase()).toContain(`${UNREAD_HEADER}: closing`)
  expect(JSON.parse(later.slice(later.indexOf('\r\n\r\n')))).toMatchObject({
    problem: { id: 'G-DOWN' },
  })
})
