import { expect, test } from 'vitest'
import { addError, type LoggedError } from './error-log.ts'

const fault = (message: string, url = '/a', at = 1) => ({
  at,
  message,
  stack: '',
  component: '',
  url,
})

test('the same error at the same place is one line with a count', () => {
  const log = [fault('x'), fault('y'), fault('x', '/a', 5), fault('x', '/b')].reduce<
    readonly LoggedError[]
  >(addError, [])
  expect(log.map(({ message, url, count, at }) => [message, url, count, at])).toEqual([
    ['x', '/b', 1, 1],
    ['x', '/a', 2, 5],
    ['y', '/a', 1, 1],
  ])
  expect(new Set(log.map(({ id }) => id)).size).toBe(3)
})

test('the log keeps the newest fifty errors', () => {
  const log = Array.from({ length: 60 }, (_, n) => fault(`f${n}`)).reduce<readonly LoggedError[]>(
    addError,
    [],
  )
  expect([log.length, log[0]?.message, log.at(-1)?.message]).toEqual([50, 'f59', 'f10'])
})
