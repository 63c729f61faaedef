import { expect, test } from 'vitest'
import { listInput } from '#client/screen/list/list-input.ts'
import { listChanges } from '#shared/collection/allocation-api.ts'

test('days become the instants at which they begin and end, other filters are unchanged', () => {
  expect(
    listInput(listChanges, {
      pageNum: 1,
      changeId: 'CC1',
      timeFrom: '2026-11-20',
      timeTo: '2026-11-20',
    }),
  ).toEqual({
    pageNum: 1,
    changeId: 'CC1',
    timeFrom: '2026-11-19T18:30:00.000Z',
    timeTo: '2026-11-20T18:29:59.999Z',
  })
})
