import { expect, test } from 'vitest'
import { differences, freshRowOf } from './conflict.ts'

const fields = [
  { name: 'a', label: 'A' },
  { name: 'b', label: 'B' },
  { name: 'c', label: 'C' },
  { name: 'd', label: 'D' },
]
const base = { a: 1, b: 1, c: 1, d: '' }

test('only a field changed by both is a conflict, a field changed only by the other user is taken', () => {
  const found = differences(
    fields,
    base,
    { a: 2, b: 1, c: 2, d: null },
    { a: 3, b: 9, c: 1, d: '' },
  )
  expect(found.conflicts.map((d) => [d.name, d.mine, d.theirs])).toEqual([['a', 2, 3]])
  expect(found.take).toEqual(['b'])
})

test('the same change on both sides is no conflict', () => {
  expect(differences(fields, base, { ...base, a: 5 }, { ...base, a: 5 })).toEqual({
    conflicts: [],
    take: [],
  })
})

test('linked fields are in conflict together and are taken together', () => {
  const fee = [{ name: 'a', label: 'A', together: ['b'] }]
  expect(
    differences(fee, base, { ...base, b: 2 }, { ...base, a: 3, b: 9 }).conflicts.map((d) => [
      d.name,
      d.mine,
      d.theirs,
    ]),
  ).toEqual([['a', 1, 3]])
  expect(differences(fee, base, base, { ...base, b: 9 })).toEqual({
    conflicts: [],
    take: ['a', 'b'],
  })
})

test('only a version conflict brings a fresh row', () => {
  expect(freshRowOf({ code: 409, data: { version: 3, a: 1 } })).toEqual({ version: 3, a: 1 })
  expect(freshRowOf({ code: 409, data: { jobId: 'j' } })).toBeNull()
  expect(freshRowOf({ code: 400, data: { version: 3 } })).toBeNull()
  expect(freshRowOf(null)).toBeNull()
})
