import { describe, expect, test } from 'vitest'
import {
  calendarDate,
  dayOfCalendar,
  dayText,
  momentText,
  parseDay,
  parseMoment,
} from './day-text.ts'

describe('a day', () => {
  test('is shown with the day first, or with the year first where that is the custom', () => {
    expect(
      ['en', 'es', 'vi', 'id', 'th'].map((language) => dayText('2026-12-03', language)),
    ).toEqual(Array(5).fill('03-12-2026'))
    expect(['zh', 'ja'].map((language) => dayText('2026-12-03', language))).toEqual([
      '2026-12-03',
      '2026-12-03',
    ])
    expect(
      [null, undefined, '', 'soon', '2026-13-01', 20_261_203].map((value) => dayText(value, 'en')),
    ).toEqual(['', '', '', '', '', ''])
  })

  test('is read with any separator, the day before the month', () => {
    for (const text of [
      '03-12-2026',
      '3-12-2026',
      '03/12/2026',
      '3.12.2026',
      '03 12 2026',
      '03122026',
      '2026-12-03',
      '2026/12/3',
      ' 03-12-2026 ',
    ])
      expect(parseDay(text), text).toBe('2026-12-03')
  })

  test('is invalid when it does not exist: 30 February, a 13th month, another calendar, half a date', () => {
    for (const text of [
      '30-02-2026',
      '29-02-2026',
      '12-13-2026',
      '00-01-2026',
      '03-12-2569',
      '03-12-26',
      '03-12',
      '3 Dec 2026',
      '1e3',
      '',
    ])
      expect(parseDay(text), text).toBeNull()
    expect(parseDay('29-02-2028')).toBe('2028-02-29')
  })

  test('is read in the format it is shown in, in every language', () => {
    for (const language of ['en', 'zh', 'es', 'ja', 'vi', 'id', 'th'])
      for (const day of ['2026-01-31', '2028-02-29', '2026-12-31'])
        expect(parseDay(dayText(day, language))).toBe(day)
  })
})

describe('an instant', () => {
  test('is typed and shown in India time', () => {
    expect(momentText('2026-12-02T18:35:00.000Z', 'en')).toBe('03-12-2026 00:05')
    expect(momentText('2026-12-02T18:35:00.000Z', 'ja')).toBe('2026-12-03 00:05')
    for (const text of ['03-12-2026 00:05', '3/12/2026 0:05', '2026-12-03T00:05', '03122026 00.05'])
      expect(parseMoment(text), text).toBe('2026-12-02T18:35:00.000Z')
  })

  test('is invalid without a time or with an impossible one', () => {
    for (const text of [
      '03-12-2026',
      '03-12-2026 ',
      '03-12-2026 24:00',
      '03-12-2026 10:60',
      '10:30',
      '30-02-2026 10:30',
      '',
    ])
      expect(parseMoment(text), text).toBeNull()
    expect([null, undefined, '', 'soon'].map((value) => momentText(value, 'en'))).toEqual([
      '',
      '',
      '',
      '',
    ])
  })
})

test.each(['Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Sao_Paulo'])(
  'a day stays the same day in a calendar in %s',
  (zone) => {
    const own = process.env.TZ
    process.env.TZ = zone
    try {
      for (const day of ['2026-01-01', '2026-03-29', '2026-10-25', '2026-12-31'])
        expect(dayOfCalendar(calendarDate(day))).toBe(day)
    } finally {
      if (own === undefined) delete process.env.TZ
      else process.env.TZ = own
    }
  },
)
