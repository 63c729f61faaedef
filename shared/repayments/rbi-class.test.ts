import { expect, test } from 'vitest'
import { daysBetween } from '../kernel/time.ts'
import { rbiClassOf } from './rbi-class.ts'

test('a loan due on 31 March is SMA-1 on 30 April, SMA-2 on 30 May and NPA on 29 June', () => {
  // the class of a day-end is stamped when the next day opens
  const classOn = (dayAfter: string) => rbiClassOf(daysBetween('2027-03-31', dayAfter), 'standard')
  expect([
    classOn('2027-03-31'),
    classOn('2027-04-01'),
    classOn('2027-04-30'),
    classOn('2027-05-01'),
  ]).toEqual(['standard', 'sma0', 'sma0', 'sma1'])
  expect([
    classOn('2027-05-30'),
    classOn('2027-05-31'),
    classOn('2027-06-29'),
    classOn('2027-06-30'),
  ]).toEqual(['sma1', 'sma2', 'sma2', 'npa'])
})

test('an NPA is upgraded only when all arrears are paid', () => {
  expect(rbiClassOf(12, 'npa')).toBe('npa')
  expect(rbiClassOf(0, 'npa')).toBe('standard')
  expect(rbiClassOf(12, 'sma2')).toBe('sma0')
})
