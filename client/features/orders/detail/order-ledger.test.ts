import { expect, test } from 'vitest'
import type { LedgerLine } from '../order-types.ts'
import { postingsOf } from './order-ledger.ts'

const line = (
  txnId: string,
  kind: string,
  account: string,
  debit: number,
  credit: number,
): LedgerLine => ({
  txnId,
  time: '2026-11-20T06:00:00.000Z',
  day: '2026-11-20',
  kind,
  account,
  serialNo: null,
  debit,
  credit,
})

test("lines are grouped by posting, with the posting's sums and the running totals", () => {
  const lines = [
    line('T1', 'disbursement', 'principalReceivable', 1_000_000, 0),
    line('T1', 'disbursement', 'serviceChargeIncome', 0, 100_000),
    line('T1', 'disbursement', 'payoutClearing', 0, 900_000),
    line('T2', 'interestDue', 'interestReceivable', 45_001, 0),
    line('T2', 'interestDue', 'interestIncome', 0, 45_001),
  ]
  expect(
    postingsOf(lines).map(({ lines: own, ...posting }) => ({ ...posting, lines: own.length })),
  ).toEqual([
    {
      txnId: 'T1',
      time: lines[0]?.time,
      day: '2026-11-20',
      kind: 'disbursement',
      debit: 1_000_000,
      credit: 1_000_000,
      debitSoFar: 1_000_000,
      creditSoFar: 1_000_000,
      lines: 3,
    },
    {
      txnId: 'T2',
      time: lines[0]?.time,
      day: '2026-11-20',
      kind: 'interestDue',
      debit: 45_001,
      credit: 45_001,
      debitSoFar: 1_045_001,
      creditSoFar: 1_045_001,
      lines: 2,
    },
  ])
})

test('an order without postings has no ledger rows', () => {
  expect(postingsOf([])).toEqual([])
})
