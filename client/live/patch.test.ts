import { expect, test } from 'vitest'
import { applyVersioned } from './patch.ts'

interface Row {
  id: string
  version?: number
  status: number
}
const ROWS: Row[] = [
  { id: 'a', version: 3, status: 10 },
  { id: 'b', version: 1, status: 20 },
]
const change = (id: string, version: number | undefined, status: number) => ({
  is: (row: Row) => row.id === id,
  version,
  patch: () => ({ status }),
})

test('a newer change patches its row and sets its version', () => {
  expect(applyVersioned(ROWS, change('a', 4, 30))).toEqual([
    { id: 'a', version: 4, status: 30 },
    ROWS[1],
  ])
})

test('an older or repeated change returns the same array', () => {
  expect(applyVersioned(ROWS, change('a', 3, 30))).toBe(ROWS)
  expect(applyVersioned(ROWS, change('a', 2, 30))).toBe(ROWS)
})

test('a change of a row that is not shown returns the same array', () => {
  expect(applyVersioned(ROWS, change('z', 9, 30))).toBe(ROWS)
})

test('a change without a version is applied and the version stays', () => {
  expect(applyVersioned(ROWS, change('b', undefined, 26))[1]).toEqual({
    id: 'b',
    version: 1,
    status: 26,
  })
})
