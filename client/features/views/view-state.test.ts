import { expect, test } from 'vitest'
import { isShown, lookedOf, queryOfView } from './view-state.ts'

const address = new URLSearchParams(
  'status=50&status=90&page=3&size=100&sort=dueTime%3Aasc&phone=9876543210',
)

test('a view keeps filters and sort of the address, without the page and identifying filters', () => {
  expect(lookedOf(address)).toEqual({ filters: { status: ['50', '90'] }, sort: 'dueTime:asc' })
})

test('a stored view opens the same rows and is recognised in the address', () => {
  const view = lookedOf(address)
  expect(queryOfView(view).toString()).toBe('status=50&status=90&sort=dueTime%3Aasc')
  expect([
    isShown(address, view),
    isShown(queryOfView(view), view),
    isShown(new URLSearchParams('status=50'), view),
  ]).toEqual([true, true, false])
})
