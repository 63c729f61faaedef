import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ConnectionLost, ConnectionWaitTimeout } from '#gateway/manage/db/checked-pool.ts'
import { EXPIRED_TEXTS } from '#shared/kernel/expired-texts.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { Problem, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import { answerErrors } from './errors.ts'

/** An error as the server reports it. */
function fromServer(code: string): Error {
  return Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })
}

test.each([
  { failure: new ConnectionWaitTimeout(4, null), status: 503, id: 'G-DOWN' },
  { failure: new ConnectionLost('gone'), status: 503, id: 'G-DOWN' },
  { failure: fromServer('25P03'), status: 503, id: 'G-DOWN' },
  { failure: fromServer('57014'), status: 503, id: 'G-BUSY' },
  { failure: fromServer('55P03'), status: 503, id: 'G-BUSY' },
  { failure: new TypeError('a mistake of ours'), status: 500, id: 'G500' },
])('$failure.name $failure.code is answered $status', async ({ failure, status, id }) => {
  const app = Fastify()
  answerErrors(app)
  app.get('/fails', { config: { open: 'test' } as object }, () => Promise.reject(failure))
  const answer = await app.inject('/fails')
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['retry-after']).toBe(status === 503 ? '2' : undefined)
  expect(answer.json()).toMatchObject({ problem: { id } })
  await app.close()
})

test('an unknown call is answered 404 in the envelope, unlike a missing record', async () => {
  const app = Fastify()
  answerErrors(app)
  for (const method of ['GET', 'POST'] as const)
    expect((await app.inject({ method, url: '/api/manage/no/such/call' })).json()).toEqual({
      code: 404,
      msg: 'There is no such call',
      data: null,
      problem: { id: 'G-CALL', params: {} },
    })
  await app.close()
})

test('the message that a session ended is in the language of the caller', async () => {
  const app = Fastify()
  answerErrors(app)
  app.get('/ended', { config: { open: 'test' } as object }, () =>
    Promise.reject(new Problem(SESSION_EXPIRED)),
  )
  const answerIn = async (language?: string) =>
    (
      await app.inject({
        url: '/ended',
        headers: language === undefined ? {} : { 'accept-language': language },
      })
    ).json<{ msg: string }>().msg
  expect(await answerIn('es-MX,es;q=0.9,en;q=0.8')).toBe(
    'La sesión ha caducado, inicie sesión de nuevo',
  )
  expect(await answerIn('fr,th;q=0.5')).toBe(EXPIRED_TEXTS.th)
  expect(await answerIn()).toBe('Session expired, please log in again')
  for (const language of LANGUAGES) {
    const path = `${import.meta.dirname}/../../../locales/${language}/problems.json`
    const problems = JSON.parse(readFileSync(path, 'utf8')) as { G401: string }
    expect(EXPIRED_TEXTS[language]).toBe(problems.G401)
  }
  await app.close()
})
