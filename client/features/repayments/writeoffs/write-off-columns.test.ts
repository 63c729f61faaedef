import { expect, test } from 'vitest'
import { exportColumns } from '#client/ui/grid/grid-export.ts'
import type { WriteOffRow } from '../payment-types.ts'
import { WRITE_OFF_COLUMNS } from './write-off-columns.ts'

const TOOLS = { t: (key: string) => key, language: 'en' }
const ROW: WriteOffRow = {
  writeOffId: 'W1',
  orderId: 'L1',
  userId: 'C1',
  userName: 'Asha Verma',
  type: 'operational',
  repaymentDate: '2026-11-20',
  amount: 1_027_000,
  outstandingBefore: 1_027_000,
  resultStatus: 100,
  state: 'done',
  reason: 'Gone',
  operatorId: null,
  operatorName: 'Manager 1',
  confirmerId: null,
  confirmerName: null,
  recordId: null,
  approvalId: null,
  createTime: '2026-11-20T06:00:00.000Z',
  doneTime: '2026-11-20T06:00:00.000Z',
  version: 1,
}
const column = (id: string) => WRITE_OFF_COLUMNS.wide.find((one) => one.id === id)

test('the kind and the resulting status are shown as named tags', () => {
  expect(column('resultStatus')?.tags?.(ROW, TOOLS)).toEqual([
    { text: 'orders:status.settledByOperations', className: 'tag tone-neutral' },
  ])
  expect(column('resultStatus')?.tags?.({ ...ROW, resultStatus: null }, TOOLS)).toEqual([])
  expect(column('type')?.tags?.(ROW, TOOLS)).toEqual([
    { text: 'repayments:writeOffType.operational', className: 'tag tone-bad' },
  ])
})

test('an export gets the text of every status', () => {
  const [status] = exportColumns(
    WRITE_OFF_COLUMNS.wide.filter(({ id }) => id === 'resultStatus'),
    TOOLS,
    () => [],
  )
  expect(status?.words).toMatchObject({
    40: 'orders:status.repaid',
    80: 'orders:status.settledByExtension',
    100: 'orders:status.settledByOperations',
  })
})

test('the resulting status is shown beside the state, and only in a wide window', () => {
  const shown = (columns: readonly { id: string; hidden?: boolean }[]) =>
    columns.filter(({ hidden }) => hidden !== true).map(({ id }) => id)
  expect(shown(WRITE_OFF_COLUMNS.wide)).toEqual(
    expect.arrayContaining(['resultStatus', 'confirmerName', 'repaymentDate']),
  )
  expect(shown(WRITE_OFF_COLUMNS.wide)[shown(WRITE_OFF_COLUMNS.wide).indexOf('state') + 1]).toBe(
    'resultStatus',
  )
  expect(shown(WRITE_OFF_COLUMNS.narrow)).not.toContain('resultStatus')
})
