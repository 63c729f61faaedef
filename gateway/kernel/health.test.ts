import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type ReadinessChecks, serveHealth } from '#gateway/kernel/health.ts'

function healthy(checks: ReadinessChecks, isDraining = () => false) {
  const app = Fastify()
  serveHealth(app, {
    version: { version: '1.0.0', commit: 'abc', build: 'b1' },
    checks,
    isDraining,
  })
  return app
}

test('readyz shows each check by name', async () => {
  const answer = await healthy({
    db: () => ({ ok: true, value: true }),
    relayLag: async () => ({ ok: true, value: 3 }),
  }).inject('/readyz')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ status: 'ok', db: true, relayLag: 3 })
})

test('a check that throws makes the part unready and reveals nothing internal', async () => {
  const answer = await healthy({
    db: () => Promise.reject(new Error('password of the database')),
  }).inject('/readyz')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toEqual({ status: 'unavailable', db: 'failed' })
})

test('a draining part is unready but alive', async () => {
  const app = healthy({}, () => true)
  expect((await app.inject('/readyz')).statusCode).toBe(503)
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'draining' })
  expect((await app.inject('/livez')).json()).toEqual({ status: 'ok' })
})

test('healthz returns version, commit and build', async () => {
  expect((await healthy({}).inject('/healthz')).json()).toEqual({
    status: 'ok',
    version: '1.0.0',
    commit: 'abc',
    build: 'b1',
  })
})
