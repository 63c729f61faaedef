import { expect, test } from 'vitest'
import { nothingCounted, sumOf } from './counted.ts'

test('a payment over two instalments is totalled by part and overall, less what was reversed', () => {
  const lines = [
    {
      planId: 'P1',
      serialNo: 1,
      kind: 'repayment',
      principal: 333_334,
      interest: 15_000,
      serviceFee: 0,
      overdueFine: 0,
    },
    {
      planId: 'P2',
      serialNo: 2,
      kind: 'repayment',
      principal: 36_666,
      interest: 15_000,
      serviceFee: 0,
      overdueFine: 0,
    },
  ]
  expect([sumOf(lines, 'principal'), sumOf(lines, 'interest'), sumOf(lines, null)]).toEqual([
    370_000, 30_000, 400_000,
  ])
  expect(
    sumOf(
      [
        ...lines,
        {
          planId: 'P2',
          serialNo: 2,
          kind: 'reversal',
          principal: -36_666,
          interest: -15_000,
          serviceFee: 0,
          overdueFine: 0,
        },
      ],
      null,
    ),
  ).toBe(348_334)
})

test('a payment that cleared nothing shows why', () => {
  const why = (payState: string, flag: string | null) => nothingCounted({ payState, flag })
  expect([
    why('inProgress', null),
    why('inProgress', 'unknownOrder'),
    why('fail', 'unknownOrder'),
    why('success', 'recovery'),
    why('success', 'surplus'),
  ]).toEqual([
    'record.none.waiting',
    'record.none.parked',
    'record.none.fail',
    'record.none.recovery',
    'record.none.surplus',
  ])
})
