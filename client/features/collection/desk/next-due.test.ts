import { expect, test } from 'vitest'
import { dueAfter, nextPlanned, offerOf } from './next-due.ts'

const NOW = Date.parse('2026-11-26T04:30:00Z')
const at = (
  caseId: string,
  nextFollowTime: string | null,
  state = 'allocated',
  firstDueTime: string | null = null,
) => ({ caseId, nextFollowTime, state, firstDueTime }) as Parameters<typeof dueAfter>[0][number]
const ROWS = [
  at('A', null),
  at('B', '2026-11-26T04:00:00Z'),
  at('C', '2026-11-26T09:00:00Z', 'promised'),
  at('D', '2026-11-26T06:00:00Z'),
  at('E', '2026-11-25T06:00:00Z', 'held'),
]

const idsAfter = (rows: typeof ROWS, openId: string | null, ...offered: string[]) =>
  dueAfter(
    rows,
    openId,
    NOW,
    new Set(rows.filter(({ caseId }) => offered.includes(caseId)).map(offerOf)),
  ).map(({ caseId }) => caseId)

test('cases that are not late follow from below the open one, then from the top', () => {
  const rows = ['A', 'B', 'C', 'D'].map((id) => at(id, null))
  rows[2] = at('C', null, 'allocated', '2026-11-26T09:00:00Z')
  expect(idsAfter(rows, 'A')).toEqual(['B', 'C', 'D'])
  expect(idsAfter(rows, 'B')).toEqual(['C', 'D', 'A'])
  expect(idsAfter(rows, null)).toEqual(['A', 'B', 'C', 'D'])
})

test('late contacts come first, agreed and first ones alike, longest late before the others', () => {
  const rows = [...ROWS, at('F', null), at('G', null, 'allocated', '2026-11-25T12:30:00Z')]
  expect(idsAfter(rows, null)).toEqual(['G', 'B', 'A', 'F'])
  expect(idsAfter(rows, 'A')).toEqual(['G', 'B', 'F'])
  expect(idsAfter(rows, 'G')).toEqual(['B', 'A', 'F'])
})

test('a case that was offered comes after those that were not', () => {
  const rows = [...ROWS, at('F', null), at('G', null, 'allocated', '2026-11-25T12:30:00Z')]
  expect(idsAfter(rows, 'B', 'G', 'B')).toEqual(['F', 'A', 'G'])
  expect(idsAfter(rows, 'F', 'G', 'B', 'F', 'A')).toEqual(['G', 'B', 'A'])
})

test('a case with another contact agreed is offered anew', () => {
  const [before, after] = ['2026-11-26T03:00:00Z', '2026-11-26T04:00:00Z']
  const offered = new Set([offerOf(at('B', before))])
  const idsOf = (time: string) =>
    dueAfter([at('A', null), at('B', time)], null, NOW, offered).map(({ caseId }) => caseId)
  expect(idsOf(before)).toEqual(['A', 'B'])
  expect(idsOf(after)).toEqual(['B', 'A'])
})

test('without another due case there is no next one, but the earliest planned one', () => {
  const rows = [at('A', '2026-11-26T04:00:00Z'), ...ROWS.slice(2)]
  expect(idsAfter(rows, 'A')).toEqual([])
  expect(nextPlanned(rows, NOW)?.caseId).toBe('D')
  expect(nextPlanned([at('A', null)], NOW)).toBeNull()
})
