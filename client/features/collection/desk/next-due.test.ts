import { expect, test } from 'vitest'
import { dueAfter, nextPlanned } from './next-due.ts'

const NOW = Date.parse('2026-11-26T04:30:00Z')
const at = (caseId: string, nextFollowTime: string | null, state = 'allocated') =>
  ({ caseId, nextFollowTime, state }) as Parameters<typeof dueAfter>[0][number]
const ROWS = [
  at('A', null),
  at('B', '2026-11-26T04:00:00Z'),
  at('C', '2026-11-26T09:00:00Z', 'promised'),
  at('D', '2026-11-26T06:00:00Z'),
  at('E', '2026-11-25T06:00:00Z', 'held'),
]

const idsAfter = (rows: typeof ROWS, openId: string | null) =>
  dueAfter(rows, openId, NOW).map(({ caseId }) => caseId)

test('due cases follow from below the open one, then from the top', () => {
  const rows = [...ROWS, at('F', null)]
  expect(idsAfter(rows, 'A')).toEqual(['B', 'F'])
  expect(idsAfter(rows, 'B')).toEqual(['F', 'A'])
  expect(idsAfter(rows, null)).toEqual(['A', 'B', 'F'])
})

test('without another due case there is no next one, but the earliest planned one', () => {
  const rows = [at('A', '2026-11-26T04:00:00Z'), ...ROWS.slice(2)]
  expect(idsAfter(rows, 'A')).toEqual([])
  expect(nextPlanned(rows, NOW)?.caseId).toBe('D')
  expect(nextPlanned([at('A', null)], NOW)).toBeNull()
})
