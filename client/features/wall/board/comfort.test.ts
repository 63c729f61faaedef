import { expect, test } from 'vitest'
import { isAsleep, sleeperAt } from './comfort.ts'

const at = (clock: string) => Date.parse(`2026-11-20T${clock}:00+05:30`)

test.each([
  ['21:00', '07:30', '20:59', false],
  ['21:00', '07:30', '21:00', true],
  ['21:00', '07:30', '00:10', true],
  ['21:00', '07:30', '07:30', false],
  ['13:00', '14:00', '13:30', true],
  ['13:00', '14:00', '14:00', false],
])('asleep from %s to %s: at %s %s', (sleepFrom, sleepTo, clock, asleep) => {
  expect(isAsleep(at(clock), { sleepFrom, sleepTo })).toBe(asleep)
})

test('a screen without hours never sleeps; the clock of a sleeping one repeats no place within half an hour', () => {
  expect(isAsleep(at('03:00'), {})).toBe(false)
  const places = Array.from({ length: 35 }, (_, minute) => sleeperAt(minute).join())
  expect(new Set(places).size).toBe(35)
})
