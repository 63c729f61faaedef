import { expect, test } from 'vitest'
import texts from '#locales/en/ui.json'
import { durationText, waitText } from './duration-text.ts'

const t = (key: string, params?: Record<string, unknown>) =>
  texts.duration[key.replace('ui:duration.', '') as keyof typeof texts.duration].replace(
    '{{n}}',
    String(params?.n),
  )
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [-5, '0 s'],
  [999, '0 s'],
  [42 * SECOND, '42 s'],
  [3 * MINUTE + 13 * SECOND, '3 min 13 s'],
  [56 * MINUTE, '56 min'],
  [2 * HOUR + 5 * MINUTE + 59 * SECOND, '2 h 5 min'],
  [2 * HOUR + 59 * SECOND, '2 h'],
  [DAY + 4 * HOUR + 59 * MINUTE, '1 d 4 h'],
  [40 * DAY, '40 d'],
])('a length of %d ms is written as %s', (ms, text) => {
  expect(durationText(ms, t)).toBe(text)
})

test.each([
  [0, '00:00'],
  [HOUR - 1, '59:59'],
  [HOUR, '1 h'],
  [36 * HOUR + 47 * MINUTE, '1 d 12 h'],
])('a wait of %d ms is shown as %s', (ms, text) => {
  expect(waitText(ms, t)).toBe(text)
})
