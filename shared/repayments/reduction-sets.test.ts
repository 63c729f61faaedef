import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  capOf,
  faultOfItems,
  itemsFor,
  levelOf,
  type ReduceItems,
  rolesAbove,
  sumOfItems,
} from './reduction-sets.ts'

const paise = fc.bigInt({ min: 0n, max: 10n ** 13n }).map(Number)
const items = fc.record<ReduceItems>({ overdueFine: paise, serviceFee: paise, interest: paise })

test('a cap is rounded down to the paisa: 20 % of 33.33 + 0.02 is 6.67', () => {
  expect(capOf({ overdueFine: 3_333, serviceFee: 0, interest: 2 }, 20)).toBe(667)
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 100 }), (open, percent) => {
      expect(capOf(open, percent)).toBeLessThanOrEqual(sumOfItems(open))
    }),
  )
})

test('an amount spread over the parts keeps its total and their order, and exceeds none', () => {
  fc.assert(
    fc.property(items, paise, (open, amount) => {
      const given = itemsFor(open, amount)
      expect(sumOfItems(given)).toBe(Math.min(amount, sumOfItems(open)))
      expect(faultOfItems(given, open)).toBeNull()
    }),
  )
})

test('service fee and interest are waived only after the whole fine, and never beyond the open amount', () => {
  const open = { overdueFine: 100, serviceFee: 50, interest: 30 }
  expect(faultOfItems({ overdueFine: 99, serviceFee: 1, interest: 0 }, open)).toEqual({
    part: 'serviceFee',
    fault: 'order',
  })
  expect(faultOfItems({ overdueFine: 100, serviceFee: 0, interest: 1 }, open)).toEqual({
    part: 'interest',
    fault: 'order',
  })
  expect(faultOfItems({ overdueFine: 101, serviceFee: 0, interest: 0 }, open)).toEqual({
    part: 'overdueFine',
    fault: 'tooMuch',
  })
  expect(faultOfItems({ overdueFine: 100, serviceFee: 50, interest: 30 }, open)).toBeNull()
  // nothing open of a part counts as waived in full
  expect(
    faultOfItems(
      { overdueFine: 0, serviceFee: 0, interest: 5 },
      { overdueFine: 0, serviceFee: 0, interest: 30 },
    ),
  ).toBeNull()
})

test('levels rise from the collector to the director; the administrator has the level of the director', () => {
  expect(rolesAbove(levelOf('collector').level)).toEqual([
    'team_leader',
    'external_supervisor',
    'internal_supervisor',
    'manager',
    'director',
    'administrator',
  ])
  expect(rolesAbove(levelOf('internal_supervisor').level)).toEqual([
    'manager',
    'director',
    'administrator',
  ])
  expect(rolesAbove(levelOf('director').level)).toEqual([])
  expect(levelOf('reviewer').level).toBe(0)
})
