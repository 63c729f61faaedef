import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ConnectionLost, ConnectionWaitTimeout } from '#gateway/manage/db/checked-pool.ts'
import { answerErrors } from './errors.ts'

test.each([
  { failure: new ConnectionWaitTimeout(4, null), status: 503, id: 'G-DOWN' },
  { failure: new ConnectionLost('gone'), status: 503, id: 'G-DOWN' },
  { failure: new TypeError('a mistake of ours'), status: 500, id: 'G500' },
])('$failure.name is answered $status', async ({ failure, status, id }) => {
  const app = Fastify()
  answerErrors(app)
  app.get('/fails', { config: { open: 'test' } as object }, () => Promise.reject(failure))
  const answer = await app.inject('/fails')
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['retry-after']).toBe(status === 503 ? '2' : undefined)
  expect(answer.json()).toMatchObject({ problem: { id } })
  await app.close()
})
