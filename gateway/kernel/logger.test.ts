import { expect, test } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'

function capture(level: 'info' | 'debug' = 'info') {
  const lines: string[] = []
  return { lines, log: createLogger(level, { write: (line) => lines.push(line) }) }
}

test('names that hold secrets or personal data are cut at any depth', () => {
  const { lines, log } = capture()
  log.info(
    {
      headers: { Authorization: 'canary-1', cookie: 'canary-2', 'set-cookie': ['canary-3'] },
      form: [{ user: { password: 'canary-4', phone: 'canary-5' } }],
      validSecret: 'canary-6',
      orderId: 'O1',
    },
    'asked',
  )
  expect(lines.join('')).not.toContain('canary')
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    orderId: 'O1',
    msg: 'asked',
    form: [{ user: { password: '[redacted]' } }],
  })
})

test('a child logger cuts its own fields too', () => {
  const { lines, log } = capture()
  log.child({ username: 'canary' }).info('hello')
  expect(lines.join('')).not.toContain('canary')
})

test('an error keeps its message and stack', () => {
  const { lines, log } = capture()
  log.error({ err: new Error('lost the feed') }, 'broken')
  expect(JSON.parse(lines[0] as string).err).toMatchObject({
    message: 'lost the feed',
    type: 'Error',
  })
})

test('a url loses its query string', () => {
  const { lines, log } = capture()
  log.info({ req: { url: '/api/manage/login?password=canary' } }, 'asked')
  expect(lines.join('')).not.toContain('canary')
})

test('lines below the level are not written', () => {
  const { lines, log } = capture()
  log.debug('quiet')
  expect(lines).toEqual([])
})
