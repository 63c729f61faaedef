import { expect, test } from 'vitest'
import { bulkRows } from './bulk-rows.ts'

const refused = { id: 'B', code: 409, msg: 'no' }

test('refused rows come first, and the others are done', () => {
  expect(
    bulkRows(['A', 'B', 'C'], [refused], null).map(({ id, state }) => `${id} ${state}`),
  ).toEqual(['B failed', 'A ok', 'C ok'])
})

test('rows a job has not come to wait, and stay undone when it is cancelled', () => {
  const jobState = { failed: [refused], waiting: ['C'] }
  const states = (state: string) =>
    bulkRows(['A', 'B', 'C'], [], { ...jobState, state }).map((row) => row.state)
  expect(states('running')).toEqual(['failed', 'waiting', 'ok'])
  expect(states('cancelled')).toEqual(['failed', 'cancelled', 'ok'])
})

test('without an answer no row is known to be done, and they keep their order', () => {
  const failed = ['B', 'A'].map((id) => ({ id, code: 0, msg: '' }))
  expect(bulkRows(['B', 'A'], failed, null)).toEqual([
    { id: 'B', state: 'unknown', refusal: null },
    { id: 'A', state: 'unknown', refusal: null },
  ])
})
