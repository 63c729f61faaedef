import { queryObjects } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Floor, testManage } from '#tests/support/manage.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())

test('a relay woken by every commit while it works accumulates no wake-ups', async () => {
  await floor.settle()
  const before = queryObjects(Promise, { format: 'count' })
  // no await between: they all find the first one's run under way
  for (let n = 0; n < 20_000; n += 1) floor.context.wakeRelay()
  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(1_000)
  await floor.settle()
})
