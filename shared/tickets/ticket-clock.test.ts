import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answerDue,
  daysSince,
  escalationsDue,
  reopenedDue,
  replyDue,
  tightened,
} from './ticket-clock.ts'

/** `2026-11-21 23:59` in IST as an instant. */
const ist = (clock: string) => new Date(`${clock.replace(' ', 'T')}:00+05:30`).toISOString()

test('the first reply is due after the minutes of the type', () => {
  expect(replyDue(ist('2026-11-21 23:30'), 240)).toBe(ist('2026-11-22 03:30'))
})

test('the answer is due at the end of the thirtieth IST day, at whatever time of day the ticket was created', () => {
  for (const created of [
    '2026-11-21 00:00',
    '2026-11-21 05:29',
    '2026-11-21 05:31',
    '2026-11-21 23:59',
  ])
    expect(answerDue(ist(created), 30), created).toBe('2026-12-21T18:29:59.999Z')
  expect(answerDue(ist('2026-11-22 00:00'), 30)).toBe('2026-12-22T18:29:59.999Z')
})

test('an escalation day begins at midnight IST, not at midnight UTC', () => {
  const days = [20, 25, 29]
  const created = ist('2026-11-01 23:59')
  expect(escalationsDue(created, ist('2026-11-20 23:59'), days)).toBe(0)
  expect(escalationsDue(created, ist('2026-11-21 00:00'), days)).toBe(1)
  // 05:30 IST is midnight UTC: nothing happens there
  expect(escalationsDue(created, ist('2026-11-26 05:29'), days)).toBe(2)
  expect(escalationsDue(created, ist('2026-11-30 23:59'), days)).toBe(3)
  expect(escalationsDue(created, ist('2026-11-29 23:59'), days)).toBe(2)
})

test('an escalation halves the remaining time and never postpones a due time', () => {
  const now = ist('2026-11-21 10:00')
  expect(tightened(ist('2026-11-21 14:00'), now)).toBe(ist('2026-11-21 12:00'))
  expect(tightened(ist('2026-11-21 10:01'), now)).toBe(now)
  expect(tightened(ist('2026-11-21 09:00'), now)).toBe(ist('2026-11-21 09:00'))
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), (minutes) => {
      const due = new Date(Date.parse(now) + minutes * 60_000).toISOString()
      const next = tightened(due, now)
      expect(Date.parse(next)).toBeLessThanOrEqual(Date.parse(due))
      if (minutes > 0) expect(Date.parse(next)).toBeGreaterThanOrEqual(Date.parse(now))
      else expect(next).toBe(due)
    }),
  )
})

test('a reopened ticket has at least the first reply time', () => {
  const now = ist('2026-11-21 10:00')
  expect(reopenedDue(ist('2026-11-21 09:00'), now, 240)).toBe(ist('2026-11-21 14:00'))
  expect(reopenedDue(ist('2026-12-01 09:00'), now, 240)).toBe(ist('2026-12-01 09:00'))
})

test('days since an instant are fractional', () => {
  expect(daysSince(ist('2026-11-14 10:00'), ist('2026-11-21 10:00'))).toBe(7)
  expect(daysSince(ist('2026-11-14 10:00'), ist('2026-11-21 10:01'))).toBeGreaterThan(7)
})
