import { expect, test } from 'vitest'
import { allocationSlots, slotAfter, slotAt } from './allocation-slots.ts'

test('allocation times come first, then a top-up each half hour until the last', () => {
  const slots = allocationSlots('13:10, 07:30', 30, '18:00')
  expect([slots[0], slots[1], slots.at(-1), slots.length]).toEqual(['07:30', '08:00', '18:00', 23])
  expect(slots).toContain('13:10')
})

test('a slot lasts until the next one, and there is none before the first', () => {
  const slots = allocationSlots('07:30', 30, '18:00')
  expect([
    slotAt(slots, '07:29'),
    slotAt(slots, '07:30'),
    slotAt(slots, '07:59'),
    slotAt(slots, '23:00'),
  ]).toEqual([null, '07:30', '07:30', '18:00'])
  expect([slotAfter(slots, '07:29'), slotAfter(slots, '17:59'), slotAfter(slots, '18:00')]).toEqual(
    ['07:30', '18:00', null],
  )
})

test('without a time there are no slots; without top-ups there are only the times', () => {
  expect(allocationSlots('', 30, '18:00')).toEqual([])
  expect(allocationSlots('25:00', 30, '18:00')).toEqual([])
  expect(allocationSlots('07:30,12:00', 0, '18:00')).toEqual(['07:30', '12:00'])
})
