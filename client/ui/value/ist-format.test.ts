import { expect, test } from 'vitest'
import { formatClock, formatIst, istTip, presetDays } from './ist-format.ts'

test.each(['en', 'zh', 'es', 'ja', 'vi', 'id', 'th'])(
  '%s shows the Gregorian year, Latin digits and a 24 hour clock in India time',
  (language) => {
    const text = formatIst('2026-11-20T12:34:00Z', 'dayTime', language)
    expect(text).toContain('2026')
    expect(text).toMatch(/18[:.]04/)
  },
)

test.each([
  ['zh', '2026/12/28 18:38', '2026/12/28'],
  ['ja', '2026/12/28 18:38', '2026/12/28'],
  ['vi', '18:38 28/12/2026', '28/12/2026'],
  ['es', '28 dic 2026, 18:38', '28 dic 2026'],
  ['id', '28 Des 2026, 18.38', '28 Des 2026'],
  ['th', '28 ธ.ค. 2026 18:38', '28 ธ.ค. 2026'],
])(
  '%s: the longest date is no wider than the English one, which sets the column width',
  (language, dayTime, day) => {
    expect(formatIst('2026-12-28T13:08:00Z', 'dayTime', language)).toBe(dayTime)
    expect(formatIst('2026-12-28', 'day', language)).toBe(day)
  },
)

test('midnight in India is 00 and belongs to the new day', () => {
  expect(formatIst('2026-11-20T18:30:00Z', 'dayTime', 'en')).toMatch(/21 Nov 2026.*00:00/)
})

test('an IST day is the same day in every language', () => {
  expect(formatIst('2026-11-20', 'day', 'en')).toBe('20 Nov 2026')
  expect(formatIst('2026-11-20', 'day', 'ja')).toContain('20')
})

test('null and invalid dates show nothing', () => {
  expect([formatIst(null, 'day', 'en'), formatIst('x', 'day', 'en'), istTip('', 'en')]).toEqual([
    '',
    '',
    '',
  ])
})

test('the tooltip names the zone and the exact instant', () => {
  expect(istTip('2026-11-20T12:34:56Z', 'en')).toMatch(/18:04:56 IST · 2026-11-20T12:34:56.000Z$/)
})

test.each([
  [-5, '00:00'],
  [59_999, '00:59'],
  [247_000, '04:07'],
  [3_729_000, '1:02:09'],
])('%d ms is shown as %s', (ms, text) => {
  expect(formatClock(ms)).toBe(text)
})

test('presets count days in India', () => {
  const now = Date.parse('2026-02-28T19:00:00Z')
  expect(presetDays('today', now)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(presetDays('last7', now)).toEqual({ from: '2026-02-23', to: '2026-03-01' })
  expect(presetDays('lastMonth', now)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
})
