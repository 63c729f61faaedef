import { expect, test } from 'vitest'
import { rangeInput } from './change-filters.ts'

test('days become the instants they begin and end with, all else stays', () => {
  expect(
    rangeInput({ pageNum: 1, changeId: 'CC1', timeFrom: '2026-11-20', timeTo: '2026-11-20' }),
  ).toEqual({
    pageNum: 1,
    changeId: 'CC1',
    timeFrom: '2026-11-19T18:30:00.000Z',
    timeTo: '2026-11-20T18:29:59.999Z',
  })
})
