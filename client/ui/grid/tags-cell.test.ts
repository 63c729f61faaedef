import { expect, test } from 'vitest'
import { fitting } from './tags-cell.ts'

test.each([
  ['all fit', [40, 40, 40], 128, 3],
  ['the last does not fit, so the number of the others has its room', [40, 40, 40], 127, 2],
  ['without room for that number one more gives way', [40, 40, 40], 115, 1],
  ['the first is shown in any case', [400, 40], 100, 1],
  ['a single one needs no number', [100], 100, 1],
  ['nothing', [], 100, 0],
])('%s', (_, widths, room, count) => {
  expect(fitting(widths, room)).toBe(count)
})
