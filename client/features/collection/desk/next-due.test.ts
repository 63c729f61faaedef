import { expect, test } from 'vitest'
import { nextDue, nextPlanned } from './next-due.ts'

const NOW = Date.parse('2026-11-26T04:30:00Z')
const at = (caseId: string, nextFollowTime: string | null, state = 'allocated') =>
  ({ caseId, nextFollowTime, state }) as Parameters<typeof nextDue>[0][number]
const ROWS = [
  at('A', null),
  at('B', '2026-11-26T04:00:00Z'),
  at('C', '2026-11-26T09:00:00Z', 'promised'),
  at('D', '2026-11-26T06:00:00Z'),
  at('E', '2026-11-25T06:00:00Z', 'held'),
]

test('the next case is a due one below the open one, then one from the top', () => {
  expect(nextDue(ROWS, 'A', NOW)?.caseId).toBe('B')
  expect(nextDue(ROWS, 'B', NOW)?.caseId).toBe('A')
  expect(nextDue(ROWS, null, NOW)?.caseId).toBe('A')
})

test('without another due case there is no next one, but the earliest planned one', () => {
  const rows = [at('A', '2026-11-26T04:00:00Z'), ...ROWS.slice(2)]
  expect(nextDue(rows, 'A', NOW)).toBeNull()
  expect(nextPlanned(rows, NOW)?.caseId).toBe('D')
  expect(nextPlanned([at('A', null)], NOW)).toBeNull()
})
