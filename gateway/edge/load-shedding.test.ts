/** An edge under pressure refuses calls at once, in the envelope, while its health is still answered. */
import { afterEach, expect, test } from 'vitest'
import { NOT_AVAILABLE } from '#shared/kernel/problem.ts'
import { type EdgeUnderTest, edgeUnderTest } from './testing/edge-under-test.ts'

const BLOCK_MS = 400
const MOST_BLOCKS = 20

let t: EdgeUnderTest | undefined
afterEach(() => t?.close())

const ask = async (path: string) => {
  const answer = await fetch(`${t?.url}${path}`, { headers: { authorization: 'ravi' } })
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Record<string, unknown>,
  }
}

/** The thread does nothing meanwhile, without using the processor. */
function blockTheLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS)
}

test('calls are shed while the heap is over its bound, and health is answered', async () => {
  t = await edgeUnderTest({ limits: { heapBytes: 1 } })
  // the heap is looked at once a second
  await expect
    .poll(() => ask('/api/manage/echo'))
    .toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { code: NOT_AVAILABLE.code, problem: { id: NOT_AVAILABLE.id } },
    })
  expect((await ask('/livez')).status).toBe(200)
  expect((await ask('/healthz')).status).toBe(200)
})

test('calls are shed while the event loop is late, and answered again when it is not', async () => {
  t = await edgeUnderTest({ limits: { loopDelayMs: 100 } })
  const statuses: number[] = []
  for (let i = 0; i < MOST_BLOCKS && !statuses.includes(503); i += 1) {
    blockTheLoop()
    statuses.push((await ask('/api/manage/echo')).status)
  }
  expect(statuses).toContain(503)
  await expect.poll(async () => (await ask('/api/manage/echo')).status).toBe(200)
})
