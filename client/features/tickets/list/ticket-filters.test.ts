import { expect, test } from 'vitest'
import { readFilters, writeFilters } from '#client/ui/grid/grid-url.ts'
import { ticketRow } from '../testing/rows.ts'
import { fits } from '../ticket-apply.ts'
import { filterFields, ticketInput, liveFilters, tabOf, TICKET_FILTERS } from './ticket-filters.ts'

const t = (key: string) => key

test('a queue screen asks for its own queue, intake for the selected one', () => {
  expect(ticketInput('loaned_ticket', 'queue', { pageNum: 1, queue: 'operation' })).toEqual({
    pageNum: 1,
    tab: 'queue',
    queue: 'loaned',
  })
  expect(ticketInput('user_feedback', 'all', { queue: 'operation' })).toEqual({
    tab: 'all',
    queue: 'operation',
  })
  expect(ticketInput('user_feedback', 'all', {})).toEqual({ tab: 'all' })
})

test('several codes are sent as one text, days as the instants at which they begin and end in IST', () => {
  expect(
    ticketInput('operation_ticket', 'queue', {
      type: ['1', '5'],
      level: ['2'],
      createTimeFrom: '2026-11-20',
      createTimeTo: '2026-11-21',
    }),
  ).toEqual({
    tab: 'queue',
    queue: 'operation',
    type: '1,5',
    level: '2',
    createTimeFrom: '2026-11-19T18:30:00.000Z',
    createTimeTo: '2026-11-21T18:29:59.999Z',
  })
})

test('an incomplete phone number is not sent', () => {
  expect(ticketInput('operation_ticket', 'queue', { phone: '98765' })).not.toHaveProperty('phone')
  expect(ticketInput('operation_ticket', 'queue', { phone: '9876543210' })).toHaveProperty(
    'phone',
    '9876543210',
  )
})

test('filters are read back from the address unchanged', () => {
  const filters = {
    type: ['4'],
    progress: ['unprocessed', 'followingUp'],
    overdue: true,
    createTime: { from: '2026-11-01' },
  } as const
  expect(
    readFilters(
      writeFilters(new URLSearchParams('tab=queue'), TICKET_FILTERS, filters),
      TICKET_FILTERS,
    ),
  ).toEqual(filters)
})

test('an unknown tab falls back to the first one, and only intake has a statement', () => {
  expect([
    tabOf('statement', 'user_feedback'),
    tabOf('statement', 'operation_ticket'),
    tabOf('x', 'user_feedback'),
    tabOf(null, 'loaned_ticket'),
  ]).toEqual(['statement', 'queue', 'all', 'queue'])
})

test('filters on fields that events carry decide whether a row fits', () => {
  const filters = liveFilters({ type: ['5'], processorId: 'asha', userId: 'C1' })
  expect(filters).toEqual({ type: ['5'], processorId: 'asha' })
  expect(fits(ticketRow({ type: 5, processorId: 'asha' }), filters)).toBe(true)
  expect(fits(ticketRow({ type: 5, processorId: 'ben' }), filters)).toBe(false)
  // a filter on a field that the event does not carry counts as fitting
  expect(fits({ type: 5 }, filters)).toBe(true)
})

test('the offered filters depend on the screen and the tab', () => {
  const names = (
    menu: 'operation_ticket' | 'loaned_ticket' | 'user_feedback',
    tab: 'queue' | 'finished',
  ) => filterFields(menu, tab, t, []).map((field) => field.name)
  expect(names('operation_ticket', 'queue')).not.toContain('stageId')
  expect(names('loaned_ticket', 'queue')).toContain('stageId')
  expect(names('user_feedback', 'queue')).toContain('queue')
  expect(names('operation_ticket', 'finished')).not.toContain('overdue')
})
