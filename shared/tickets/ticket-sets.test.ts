import { expect, test } from 'vitest'
import { isGrievance, mayTicket, queueOf, TICKET_TYPES } from './ticket-sets.ts'

test('collection and overdue repayment tickets go to the post-loan queue, all others to operations', () => {
  expect(TICKET_TYPES.map((type) => queueOf(type, false))).toEqual([
    'operation',
    'operation',
    'operation',
    'loaned',
    'operation',
    'operation',
  ])
  expect(TICKET_TYPES.map((type) => queueOf(type, true))).toEqual([
    'operation',
    'operation',
    'loaned',
    'loaned',
    'operation',
    'operation',
  ])
})

test('collection tickets and complaints hold the case', () => {
  expect(TICKET_TYPES.filter(isGrievance)).toEqual([4, 5])
})

test('intake codes apply to both queues, queue codes only to their own', () => {
  const may = (code: string) => [
    mayTicket(new Set([code]), 'operation', 'reply'),
    mayTicket(new Set([code]), 'loaned', 'reply'),
  ]
  expect(may('user_feedback:reply')).toEqual([true, true])
  expect(may('operation_ticket:reply')).toEqual([true, false])
  expect(may('loaned_ticket:reply')).toEqual([false, true])
  expect(may('loaned_ticket:view')).toEqual([false, false])
})
