import { expect, test } from 'vitest'
import { meanText, readStatement, totalOf } from './statement-view.ts'

const TODAY = '2026-11-21'
const read = (text: string) => readStatement(new URLSearchParams(text), TODAY)

test('without a range the last seven days are requested', () => {
  expect(read('')).toEqual({ from: '2026-11-15', to: TODAY, by: 'day', queue: null })
})

test.each([
  'from=2026-11-20',
  'from=2026-11-20&to=2026-11-10',
  'from=2026-01-01&to=2026-11-10',
  'from=x&to=y',
  'from=2026-13-01&to=2026-13-02',
])('an invalid range (%s) is not requested', (text) => {
  expect(read(text)).toMatchObject({ from: '2026-11-15', to: TODAY })
})

test('the longest range is 92 days including both ends', () => {
  expect(read('from=2026-08-22&to=2026-11-21&by=type&queue=loaned')).toEqual({
    from: '2026-08-22',
    to: '2026-11-21',
    by: 'type',
    queue: 'loaned',
  })
  expect(read('from=2026-08-21&to=2026-11-21').from).toBe('2026-11-15')
})

test('ratings show two decimals', () => {
  expect([null, 425, 400, 5].map(meanText)).toEqual(['—', '4.25', '4.00', '0.05'])
})

test('the total row sums counts and shows no average of averages', () => {
  const row = {
    key: 'a',
    name: null,
    created: 3,
    finished: 2,
    open: 1,
    avgFirstReplySec: 60,
    avgFinishSec: 90,
    slaMissed: 1,
    handovers: 0,
    escalated: 2,
    avgEvaluation: 400,
  }
  expect(totalOf([row, { ...row, key: 'b' }])).toEqual({
    created: 6,
    finished: 4,
    open: 2,
    slaMissed: 2,
    handovers: 0,
    escalated: 4,
    avgFirstReplySec: null,
    avgFinishSec: null,
    avgEvaluation: null,
  })
})
