import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContactFacts, contactGate, contactWindow, LEGAL_WINDOW } from './contact-gate.ts'

const FREE: ContactFacts = {
  callFrom: '08:00',
  callTo: '19:00',
  microfinance: false,
  noContact: [],
  holidays: [],
  stopped: false,
  stoppedUntil: null,
  needsIntimation: false,
  intimatedAt: null,
  attemptsToday: 0,
  attemptsWeek: 0,
  perDay: 3,
  perWeek: 10,
  gapMinutes: 120,
  lastAttemptTime: null,
  referencesAllowed: false,
}
/** 23 November 2026 is a Monday. */
const ist = (clock: string, day = '2026-11-23') => new Date(`${day}T${clock}+05:30`).toISOString()
function refusalAt(
  clock: string,
  facts: Partial<ContactFacts> = {},
  isBorrower = true,
): [string, string | null] | null {
  const refusal = contactGate({ ...FREE, ...facts }, { now: ist(clock), isBorrower })
  return refusal === null ? null : [refusal.problem.id, refusal.openTime]
}

describe('hours of contact at their edges, IST', () => {
  const micro = { microfinance: true }
  const narrowed = { callFrom: '10:00', callTo: '17:30' }
  const widened = { callFrom: '06:00', callTo: '22:00' }
  const today = ist('08:00:00')
  const tomorrow = ist('08:00:00', '2026-11-24')
  test.each<[clock: string, facts: Partial<ContactFacts>, answer: [string, string] | null]>([
    ['00:00:00', {}, ['C-WIN', today]],
    ['07:59:59', {}, ['C-WIN', today]],
    ['08:00:00', {}, null],
    ['18:59:59', {}, null],
    ['19:00:00', {}, ['C-WIN', tomorrow]],
    ['23:59:59', {}, ['C-WIN', tomorrow]],
    ['08:59:59', micro, ['C-WIN', ist('09:00:00')]],
    ['09:00:00', micro, null],
    ['17:59:59', micro, null],
    ['18:00:00', micro, ['C-WIN', ist('09:00:00', '2026-11-24')]],
    ['09:59:59', narrowed, ['C-WIN', ist('10:00:00')]],
    ['10:00:00', narrowed, null],
    ['17:29:59', narrowed, null],
    ['17:30:00', narrowed, ['C-WIN', ist('10:00:00', '2026-11-24')]],
    ['07:59:59', widened, ['C-WIN', today]],
    ['08:00:00', widened, null],
    ['18:59:59', widened, null],
    ['19:00:00', widened, ['C-WIN', tomorrow]],
  ])('%s with %o', (clock, facts, answer) => {
    expect(refusalAt(clock, facts)).toEqual(answer)
  })

  test('parameters never widen the hours', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
    fc.assert(
      fc.property(clock, clock, fc.boolean(), clock, (callFrom, callTo, microfinance, at) => {
        const window = contactWindow({ callFrom, callTo, microfinance })
        expect(window.from >= LEGAL_WINDOW.from && window.to <= LEGAL_WINDOW.to).toBe(true)
        const isOpen = refusalAt(`${at}:00`, { callFrom, callTo, microfinance }) === null
        expect(isOpen).toBe(at >= window.from && at < window.to)
      }),
    )
  })
})

test('an inverted window leaves no hour and names no time', () => {
  expect(refusalAt('12:00:00', { callFrom: '18:00', callTo: '09:00' })).toEqual(['C-WIN', null])
})

test('on a holiday nobody may be contacted, and the next opening skips further holidays', () => {
  const holidays = [
    { day: '2026-11-23', name: 'Guru Nanak Jayanti' },
    { day: '2026-11-24', name: 'State election' },
  ]
  expect(refusalAt('12:00:00', { holidays })).toEqual(['C-HOL', ist('08:00:00', '2026-11-25')])
  expect(refusalAt('20:00:00', { holidays: holidays.slice(1) })).toEqual([
    'C-WIN',
    ist('08:00:00', '2026-11-25'),
  ])
})

test('at most three contacts a day and ten a week are allowed, over all channels', () => {
  expect(refusalAt('12:00:00', { attemptsToday: 2, attemptsWeek: 9 })).toBeNull()
  expect(refusalAt('12:00:00', { attemptsToday: 3, attemptsWeek: 3 })).toEqual([
    'C-LIM',
    ist('08:00:00', '2026-11-24'),
  ])
  expect(refusalAt('12:00:00', { attemptsToday: 2, attemptsWeek: 10 })).toEqual(['C-LIMW', null])
})

test('two contacts must be two hours apart', () => {
  expect(refusalAt('11:59:59', { lastAttemptTime: ist('10:00:00') })).toEqual([
    'C-GAP',
    ist('12:00:00'),
  ])
  expect(refusalAt('12:00:00', { lastAttemptTime: ist('10:00:00') })).toBeNull()
  expect(refusalAt('18:30:00', { lastAttemptTime: ist('18:00:00') })).toEqual([
    'C-GAP',
    ist('08:00:00', '2026-11-24'),
  ])
})

test('the first contact of an outside agent needs an intimation, that of in-house staff does not', () => {
  expect(refusalAt('12:00:00', { needsIntimation: true })).toEqual(['C-TOLD', null])
  expect(refusalAt('12:00:00', { needsIntimation: true, intimatedAt: ist('09:00:00') })).toBeNull()
  expect(refusalAt('12:00:00', { needsIntimation: false })).toBeNull()
})

test('a stop refuses every contact and names its end when it has one', () => {
  expect(refusalAt('12:00:00', { stopped: true, stoppedUntil: '2026-11-30' })).toEqual([
    'C-STOP',
    ist('08:00:00', '2026-12-01'),
  ])
  expect(refusalAt('12:00:00', { stopped: true })).toEqual(['C-HELD', null])
})

test('a declared contact may be contacted only when the owner allows it', () => {
  expect(refusalAt('12:00:00', {}, false)).toEqual(['C-REF', null])
  expect(refusalAt('12:00:00', { referencesAllowed: true }, false)).toBeNull()
})

test('a stop is reported before the hours, even at night', () => {
  expect(
    refusalAt('23:00:00', { stopped: true, needsIntimation: true, attemptsToday: 3 })?.[0],
  ).toBe('C-HELD')
  expect(refusalAt('23:00:00', { needsIntimation: true, attemptsToday: 3 })?.[0]).toBe('C-TOLD')
  expect(refusalAt('23:00:00', { attemptsToday: 3 })?.[0]).toBe('C-WIN')
})

describe('do-not-contact times of the borrower', () => {
  const lunch = { days: [1, 2, 3, 4, 5], from: '13:00', to: '15:00' }
  const tea = { days: [1], from: '15:00', to: '16:00' }
  const monday = { days: [1], from: '00:00', to: '23:59' }
  const morning = { days: [2], from: '07:00', to: '10:00' }

  test.each<
    [clock: string, noContact: ContactFacts['noContact'], answer: [string, string | null] | null]
  >([
    ['12:59:59', [lunch], null],
    ['13:00:00', [lunch], ['C-ASKED', ist('15:00:00')]],
    ['14:59:59', [lunch], ['C-ASKED', ist('15:00:00')]],
    ['15:00:00', [lunch], null],
    ['13:00:00', [{ ...lunch, days: [6, 7] }], null],
    // adjoining times, a whole day and the morning after it
    ['14:00:00', [lunch, tea], ['C-ASKED', ist('16:00:00')]],
    ['14:00:00', [monday], ['C-ASKED', ist('08:00:00', '2026-11-24')]],
    ['14:00:00', [monday, morning], ['C-ASKED', ist('10:00:00', '2026-11-24')]],
    // outside the hours the hours refuse, and name a time that is free of both
    ['20:00:00', [morning], ['C-WIN', ist('10:00:00', '2026-11-24')]],
    ['14:00:00', [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' }], ['C-ASKED', null]],
  ])('%s with %o', (clock, noContact, answer) => {
    expect(refusalAt(clock, { noContact })).toEqual(answer)
  })

  test('the gap between two contacts ends after them', () => {
    expect(refusalAt('12:30:00', { noContact: [lunch], lastAttemptTime: ist('12:00:00') })).toEqual(
      ['C-GAP', ist('15:00:00')],
    )
    expect(
      contactGate(
        { ...FREE, noContact: [lunch], lastAttemptTime: ist('12:00:00') },
        { now: ist('12:30:00'), isBorrower: true },
      )?.params,
    ).toEqual({ time: '15:00' })
  })

  test('the named time is one at which contact is possible, for any do-not-contact times', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 30))
      .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
    const slot = fc
      .record({
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        from: clock,
        to: clock,
      })
      .filter(({ from, to }) => from < to)
    fc.assert(
      fc.property(
        fc.array(slot, { maxLength: 7 }),
        clock,
        fc.option(clock, { nil: null }),
        (noContact, at, last) => {
          const facts: ContactFacts = {
            ...FREE,
            noContact,
            holidays: [{ day: '2026-11-24', name: 'Guru Nanak Jayanti' }],
            lastAttemptTime: last === null ? null : ist(`${last}:00`, '2026-11-22'),
          }
          const refusal = contactGate(facts, { now: ist(`${at}:00`), isBorrower: true })
          if (refusal?.openTime == null) return
          expect(refusal.openTime > ist(`${at}:00`)).toBe(true)
          expect(contactGate(facts, { now: refusal.openTime, isBorrower: true })).toBeNull()
        },
      ),
    )
  })
})
