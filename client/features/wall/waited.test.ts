import { expect, test } from 'vitest'
import { minutesText, minutesToCutOff } from './waited.ts'

const words = (key: string, { n }: { n: string }): string => `${n} ${key.slice(4)}`
const left = (utc: string): string => minutesText(minutesToCutOff(Date.parse(utc)), words)

test.each([
  ['2026-03-10T18:29:59.999Z', '1 minutes'],
  ['2026-03-10T18:30:00.000Z', '24 hours'],
  ['2026-03-10T18:30:00.001Z', '24 hours'],
  ['2026-03-10T18:31:00.000Z', '23 hours'],
  ['2026-03-11T00:00:00.000Z', '18 hours'],
  ['2026-03-10T16:49:59.000Z', '1 hours'],
  ['2026-03-10T16:51:00.000Z', '99 minutes'],
])('at %s the day of the figures ends in %s', (utc, expected) => {
  expect(left(utc)).toBe(expected)
})
