import { expect, test } from 'vitest'
import { contactAfterPromise, nextContact, offeredPromise, proposedContact } from './case-words.ts'
import { istAt } from '#shared/kernel/time.ts'

const HOURS = { callFrom: '08:00', callTo: '19:00' }
const at = (clock: string, day = '2026-11-29') => istAt(day, clock)
const now = (clock: string) => Date.parse(at(clock))

test.each([
  ['04:00', at('08:00')],
  ['10:02', at('12:05')],
  ['17:00', at('10:00', '2026-11-30')],
  ['23:30', at('10:00', '2026-11-30')],
])('at %s the next contact is due %s', (clock, due) => {
  expect(nextContact(now(clock), HOURS)).toBe(due)
})

test.each([
  ['tomorrow 18:00', at('18:00', '2026-11-30'), at('10:00', '2026-11-30')],
  ['tomorrow 09:00', at('09:00', '2026-11-30'), at('10:00', '2026-11-30')],
  ['today 18:00', at('18:00'), at('18:00')],
  ['today 23:59', at('23:59'), at('10:00', '2026-11-30')],
])('after a promise for %s the borrower is asked again %s', (_, promised, due) => {
  expect(contactAfterPromise(now('10:02'), promised, HOURS)).toBe(due)
})

test.each([
  ['10:02', 7, at('18:00', '2026-11-30')],
  ['10:02', 0, at('18:00')],
  ['18:30', 0, at('23:59')],
])('at %s, with promises of at most %d days, one press promises by %s', (clock, mostDays, time) => {
  expect(offeredPromise(now(clock), mostDays).time).toBe(time)
})

test.each([
  ['a promise', at('18:00', '2026-11-30'), at('16:00'), at('10:00', '2026-11-30')],
  ['an agreed time', null, at('16:00'), at('16:00')],
  ['an agreed time that has passed', null, at('09:00'), at('12:05')],
  ['nothing, or what was taken back', null, null, at('12:05')],
])('the next contact follows %s', (_, promised, agreed, due) => {
  expect(proposedContact(now('10:02'), { promised, agreed }, HOURS)).toBe(due)
})
