import { expect, test } from 'vitest'
import { partStates } from './settlement-parts.ts'

const rows = [
  { dueTime: '2027-03-10', amount: 40_000 },
  { dueTime: '2027-04-10', amount: 60_000 },
  { dueTime: '2027-05-10', amount: 10_000 },
]
const of = (paid: number, state: 'current' | 'kept' | 'broken' | 'ended', today = '2027-03-20') =>
  partStates({ rows, paid, state }, today)

test('a running plan shows what is paid, what is next and what is overdue', () => {
  expect(of(40_000, 'current')).toEqual(['paid', 'next', 'later'])
  expect(of(39_999, 'current')).toEqual(['overdue', 'later', 'later'])
  expect(of(39_999, 'current', '2027-03-10')).toEqual(['next', 'later', 'later'])
  expect(of(110_000, 'kept')).toEqual(['paid', 'paid', 'paid'])
})

test('a plan that ended shows the missed part, and the rest as unpaid', () => {
  expect(of(39_999, 'broken')).toEqual(['missed', 'open', 'open'])
  expect(of(40_000, 'ended')).toEqual(['paid', 'open', 'open'])
})
