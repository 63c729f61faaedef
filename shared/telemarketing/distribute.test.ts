import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distribute, type Taker } from './distribute.ts'

const FREE: Taker = {
  userId: 'a',
  open: 0,
  capacity: 100,
  takesTasks: true,
  isEnabled: true,
  isOfSegment: true,
}
const counts = (turns: readonly string[]) =>
  Object.fromEntries([...new Set(turns)].map((id) => [id, turns.filter((t) => t === id).length]))

test('tasks go where the fewest are open, and come out even', () => {
  const people = [FREE, { ...FREE, userId: 'b', open: 4 }, { ...FREE, userId: 'c', open: 1 }]
  expect(counts(distribute(7, people).turns)).toEqual({ a: 4, c: 3 })
  expect(counts(distribute(10, people).turns)).toEqual({ a: 5, b: 1, c: 4 })
})

test('people who get nothing are listed with the reason', () => {
  const people: Taker[] = [
    { ...FREE, userId: 'gone', isEnabled: false },
    { ...FREE, userId: 'elsewhere', isOfSegment: false },
    { ...FREE, userId: 'closed', takesTasks: false },
    { ...FREE, userId: 'full', open: 5, capacity: 5 },
    { ...FREE, userId: 'soon', open: 3, capacity: 5 },
  ]
  expect(distribute(4, people)).toEqual({
    turns: ['soon', 'soon'],
    left: 2,
    skipped: [
      { userId: 'gone', why: 'disabled' },
      { userId: 'elsewhere', why: 'segment' },
      { userId: 'closed', why: 'closed' },
      { userId: 'full', why: 'full' },
      { userId: 'soon', why: 'full' },
    ],
  })
})

test('nobody is given more than their capacity, and what is given is as even as it can be', () => {
  const person = fc.record({ open: fc.nat(20), capacity: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(fc.nat(60), fc.array(person, { maxLength: 6 }), (count, people) => {
      const takers = people.map((p, i) => ({ ...FREE, ...p, userId: String(i) }))
      const { turns, left } = distribute(count, takers)
      expect(turns.length + left).toBe(count)
      const after = takers.map((p) => ({
        ...p,
        got: turns.filter((id) => id === p.userId).length,
      }))
      for (const { open, got, capacity } of after)
        if (got > 0) expect(open + got).toBeLessThanOrEqual(capacity)
      // a person with room left has at most one task less than any person who was given one
      const most = Math.max(0, ...after.filter(({ got }) => got > 0).map((p) => p.open + p.got))
      for (const { open, got, capacity } of after)
        if (open + got < capacity) expect(open + got).toBeGreaterThanOrEqual(most - 1)
    }),
  )
})
