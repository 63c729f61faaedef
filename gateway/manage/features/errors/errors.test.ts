import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportError } from '#shared/errors/errors-api.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { errorsRoutes } from './errors-routes.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({ routes: (base, context) => errorsRoutes(base, context) }),
  })
})
afterAll(() => floor.close())

const FAULT = {
  message: 'x is not a function',
  stack: 'at a',
  url: '/detail?orderId=L1',
  version: 'abc',
}

test('an error is stored with its user and without the query of its address', async () => {
  const reviewer = await floor.signIn('reviewer')
  await reviewer.call(reportError, FAULT)
  const { rows } = await sql<{
    user_id: string
    url: string
    message: string
  }>`select e.user_id, e.url, e.message from client_error e`.execute(floor.database.kysely)
  expect(rows).toEqual([{ user_id: reviewer.userId, url: '/detail', message: FAULT.message }])
})

test('the twenty-first error of a minute is not stored', async () => {
  const collector = await floor.signIn('collector')
  for (let n = 0; n < 20; n += 1) await collector.call(reportError, FAULT)
  expect(await collector.refused(reportError, FAULT)).toMatchObject({ problem: { id: 'G-RATE' } })
})
