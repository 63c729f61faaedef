import { expect, test } from 'vitest'
import { fineLines } from './fine-lines.ts'

test('a booking covers the days since the one before it', () => {
  // due 20 Nov; 10.00 a day: one booking of two days, then one of one day
  expect(
    fineLines(
      [
        { date: '2026-11-22', fine: 2_000 },
        { date: '2026-11-23', fine: 1_000 },
      ],
      '2026-11-20',
    ),
  ).toEqual([
    { from: '2026-11-21', to: '2026-11-22', days: 2, fine: 2_000, perDay: 1_000, soFar: 2_000 },
    { from: '2026-11-23', to: '2026-11-23', days: 1, fine: 1_000, perDay: 1_000, soFar: 3_000 },
  ])
})

test('a correction covers no day, and days with different fines have no single price', () => {
  expect(
    fineLines(
      [
        { date: '2026-11-22', fine: 2_001 },
        { date: '2026-11-25', fine: -500 },
      ],
      '2026-11-20',
    ),
  ).toMatchObject([
    { days: 2, perDay: null },
    { from: '2026-11-25', days: 0, perDay: null, soFar: 1_501 },
  ])
})
