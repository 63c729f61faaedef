import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  countryClock,
  countryOffset,
  daysBetween,
  isInsideIstWindow,
  istAt,
  istClock,
  istDay,
  istDayEnd,
  istMidnight,
} from './time.ts'

const anyInstant = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
})
const anyDay = anyInstant.map((instant) => istDay(instant))

describe('the IST day', () => {
  test('changes at 18:30 UTC', () => {
    expect(istDay('2026-11-20T18:29:59.999Z')).toBe('2026-11-20')
    expect(istDay('2026-11-20T18:30:00.000Z')).toBe('2026-11-21')
    expect(istDay(new Date('2026-12-31T18:30:00Z'))).toBe('2027-01-01')
    expect(istDay(Date.parse('2026-11-20T18:30:00Z'))).toBe('2026-11-21')
  })

  test('begins and ends where its instants say', () => {
    expect(istMidnight('2026-11-21').toISOString()).toBe('2026-11-20T18:30:00.000Z')
    expect(istDayEnd('2026-11-21').toISOString()).toBe('2026-11-21T18:29:59.999Z')
  })

  test('holds every instant from its midnight to its end', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const day = istDay(instant)
        expect(istMidnight(day) <= instant && instant <= istDayEnd(day)).toBe(true)
        expect(istDay(istDayEnd(day).getTime() + 1)).toBe(addDays(day, 1))
      }),
    )
  })

  test('a time that cannot be read is refused', () => {
    expect(() => istDay('yesterday')).toThrow(RangeError)
  })
})

describe('counting days', () => {
  test('crosses months and leap years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
    expect(daysBetween('2026-11-21', '2026-11-20')).toBe(-1)
  })

  test('a loan due 31 March is 30 days overdue on 30 April, 90 on 29 June and 91 on 30 June', () => {
    const days = ['2026-04-30', '2026-05-01', '2026-06-29', '2026-06-30'].map((day) =>
      daysBetween('2026-03-31', day),
    )
    expect(days).toEqual([30, 31, 90, 91])
  })

  test('daysBetween undoes addDays', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -2_000, max: 2_000 }), (day, n) => {
        expect(daysBetween(day, addDays(day, n))).toBe(n)
      }),
    )
  })
})

describe('the contact window 08:00-19:00', () => {
  test.each([
    ['2026-11-21T02:29:59Z', false],
    ['2026-11-21T02:30:00Z', true],
    ['2026-11-21T13:29:59.999Z', true],
    ['2026-11-21T13:30:00Z', false],
    ['2026-11-20T20:00:00Z', false],
  ])('%s is inside: %s', (instant, inside) =>
    expect(isInsideIstWindow(instant, '08:00', '19:00')).toBe(inside),
  )

  test('a window to 24:00 lasts until midnight', () => {
    expect(isInsideIstWindow('2026-11-21T18:29:59Z', '00:00', '24:00')).toBe(true)
  })
})

test('the IST clock shows hours and minutes', () => {
  expect(istAt('2026-11-22', '00:00')).toBe('2026-11-21T18:30:00.000Z')
  expect(istAt('2026-11-21', '10:05')).toBe('2026-11-21T04:35:00.000Z')
  expect(istClock('2026-11-21T18:30:00Z')).toBe('00:00')
  expect(istClock('2026-11-21T04:35:59Z')).toBe('10:05')
})

describe('the clock of a country', () => {
  test.each([
    ['IN', 5.5],
    ['MX', -6],
    ['PE', -5],
    ['CO', -5],
    ['CL', -4],
    ['TZ', 3],
    ['KEN', 3],
    ['NG', 1],
    ['PK', 5],
    ['PH', 8],
    ['VN', 7],
    ['ID', 7],
    ['TH', 7],
    ['', -6],
    ['constructor', -6],
  ])('%s is %s hours east of UTC', (country, hours) => expect(countryOffset(country)).toBe(hours))

  test('reads as date and time', () => {
    expect(countryClock(new Date('2026-11-20T18:30:00Z'), 'IN')).toBe('2026-11-21 00:00:00')
    expect(countryClock(Date.parse('2026-11-20T05:59:59Z'), 'MX')).toBe('2026-11-19 23:59:59')
  })
})
