import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { PlanRow, RecordRow, ReduceRow, WriteOffRow } from '../payment-types.ts'
import {
  applyPlanEvents,
  applyRecordEvents,
  applyReductionEvents,
  applyWriteOffEvents,
} from './payment-apply.ts'

// only the fields that the rules read
const plan = (planId: string, version = 3, more: Partial<PlanRow> = {}) =>
  ({
    planId,
    orderId: 'L1',
    paymentStatus: 'unpaid',
    outstanding: 500,
    overdueDays: 0,
    version,
    ...more,
  }) as PlanRow
const record = (recordId: string, version = 1) =>
  ({
    recordId,
    orderId: 'L1',
    planId: 'P1',
    payState: 'inProgress',
    channel: 1,
    version,
  }) as RecordRow
const byId = <Row>(rows: Row[], id: (row: Row) => string) =>
  new Map(rows.map((row) => [id(row), row]))
const event = (type: string, version: number, data: Record<string, unknown>): LiveEvent =>
  ({ seq: 1, id: 'E', type, time: '2026-11-21T06:00:00Z', data, version }) as LiveEvent
const planEvent = (planId: string, version: number, data: Record<string, unknown> = {}) =>
  event('plan.changed', version, {
    planId,
    orderId: 'L1',
    paymentStatus: 'paid',
    outstanding: 0,
    overdueDays: 0,
    ...data,
  })
const recordEvent = (recordId: string, version: number, data: Record<string, unknown> = {}) =>
  event('repayment.changed', version, {
    recordId,
    orderId: 'L1',
    planId: 'P1',
    amount: 100,
    payState: 'success',
    reversed: false,
    channel: 1,
    source: 'staff',
    ...data,
  })

test('among settled instalments one that is paid is asked for, and one that is not leaves', () => {
  const apply = (paymentStatus: string) =>
    applyPlanEvents(
      byId([plan('P1', 3, { paymentStatus: 'paid' })], (row) => row.planId),
      [planEvent('P1', 4, { paymentStatus })],
      { settled: 'late' },
      'gone',
    )
  expect(apply('paid').read).toEqual(new Set(['P1']))
  expect(apply('partlyPaid').read).toEqual(new Set())
  expect(apply('partlyPaid').changes.at(-1)).toMatchObject({ kind: 'leave', id: 'P1' })
})

test('a newer event patches its row and requests the rest of it', () => {
  const { changes, read, needsRefetch } = applyPlanEvents(
    byId([plan('P1')], (row) => row.planId),
    [planEvent('P1', 4)],
    {},
    'gone',
  )
  expect(changes).toEqual([
    {
      kind: 'patch',
      id: 'P1',
      version: 4,
      changes: { paymentStatus: 'paid', outstanding: 0, overdueDays: 0, version: 4 },
    },
  ])
  expect([[...read], needsRefetch]).toEqual([['P1'], false])
})

test('an event that is not newer changes nothing, and a repeated event counts once', () => {
  const rows = byId([plan('P1')], (row) => row.planId)
  expect(applyPlanEvents(rows, [planEvent('P1', 3)], {}, 'gone').changes).toEqual([])
  expect(
    applyPlanEvents(rows, [planEvent('P1', 4), planEvent('P1', 4)], {}, 'gone').changes,
  ).toHaveLength(1)
})

test('a row that no longer matches the filter leaves the list', () => {
  const { changes, read } = applyPlanEvents(
    byId([plan('P1', 3, { paymentStatus: 'overdue' })], (row) => row.planId),
    [planEvent('P1', 4)],
    { paymentStatus: ['overdue'] },
    'gone',
  )
  expect(changes.at(-1)).toEqual({ kind: 'leave', id: 'P1', version: 4, reason: 'gone' })
  expect(read.size).toBe(0)
})

test('a new row is counted when it matches, requested when only the server can tell, and ignored otherwise', () => {
  const none = new Map<string, RecordRow>()
  expect(
    applyRecordEvents(none, [recordEvent('RR9', 1, { payState: 'inProgress' })], {}, 'gone'),
  ).toEqual({ changes: [{ kind: 'new', id: 'RR9' }], read: new Set(), needsRefetch: true })
  expect(applyRecordEvents(none, [recordEvent('RR9', 1)], { userName: 'asha' }, 'gone')).toEqual({
    changes: [],
    read: new Set(),
    needsRefetch: true,
  })
  expect(applyRecordEvents(none, [recordEvent('RR9', 1)], { payState: 'fail' }, 'gone')).toEqual({
    changes: [],
    read: new Set(),
    needsRefetch: false,
  })
  expect(
    applyRecordEvents(none, [recordEvent('RR9', 1)], { channel: '2' }, 'gone').needsRefetch,
  ).toBe(false)
  expect(
    applyRecordEvents(none, [recordEvent('RR9', 1)], { source: 'proof' }, 'gone').needsRefetch,
  ).toBe(false)
  expect(
    applyRecordEvents(none, [recordEvent('RR9', 1)], { source: 'staff' }, 'gone').changes,
  ).toHaveLength(1)
})

test('an event does not change whether a shown row matches the filters that only the server evaluates', () => {
  const { changes } = applyRecordEvents(
    byId([record('RR1')], (row) => row.recordId),
    [recordEvent('RR1', 2)],
    { userName: 'asha' },
    'gone',
  )
  expect(changes.map(({ kind }) => kind)).toEqual(['patch'])
})

test('a row that was leaving and matches again stays', () => {
  const rows = byId([plan('P1', 3, { paymentStatus: 'overdue' })], (row) => row.planId)
  const { changes, read, needsRefetch } = applyPlanEvents(
    rows,
    [
      planEvent('P1', 4, { paymentStatus: 'processing' }),
      planEvent('P1', 5, { paymentStatus: 'overdue', outstanding: 400 }),
    ],
    { paymentStatus: ['overdue'] },
    'gone',
  )
  expect(changes.map(({ kind }) => kind)).toEqual(['patch', 'patch'])
  expect([[...read], needsRefetch]).toEqual([['P1'], true])
})

test('a decided reduction leaves the list of pending decisions, and a new one there is requested', () => {
  const row = { reduceId: 'RD1', orderId: 'L1', state: 'pending', version: 1 } as ReduceRow
  const changed = (version: number, data: object) =>
    event('reduction.changed', version, {
      reduceId: 'RD1',
      orderId: 'L1',
      state: 'approved',
      cause: null,
      reduceAmount: 100,
      validUntil: '2026-11-24',
      ...data,
    })
  expect(
    applyReductionEvents(
      byId([row], (one) => one.reduceId),
      [changed(2, {})],
      { toDecide: true },
      'gone',
    ).changes.at(-1),
  ).toEqual({ kind: 'leave', id: 'RD1', version: 2, reason: 'gone' })
  expect(
    applyReductionEvents(
      new Map(),
      [changed(1, { reduceId: 'RD2', state: 'pending' })],
      { toDecide: true },
      'gone',
    ),
  ).toEqual({ changes: [], read: new Set(), needsRefetch: true })
  expect(
    applyReductionEvents(new Map(), [changed(1, { reduceId: 'RD2', state: 'pending' })], {}, 'gone')
      .changes,
  ).toEqual([{ kind: 'new', id: 'RD2' }])
})

test('a launched write-off is counted by its payment, once, and only where it matches', () => {
  const none = new Map<string, WriteOffRow>()
  const launched = recordEvent('RR9', 1, { payState: 'inProgress', source: 'writeOff' })
  expect(applyWriteOffEvents(none, [launched], {}, 'gone')).toEqual({
    changes: [{ kind: 'new', id: 'RR9' }],
    read: new Set(),
    needsRefetch: true,
  })
  expect(applyWriteOffEvents(none, [launched], { type: 'partial' }, 'gone')).toEqual({
    changes: [],
    read: new Set(),
    needsRefetch: true,
  })
  expect(applyWriteOffEvents(none, [launched], { state: 'done' }, 'gone').needsRefetch).toBe(false)
  // another kind of payment, and the decision of one that is not on the page
  expect(
    applyWriteOffEvents(
      none,
      [
        recordEvent('RR8', 1, { payState: 'inProgress' }),
        recordEvent('RR9', 2, { payState: 'fail', source: 'writeOff' }),
      ],
      {},
      'gone',
    ),
  ).toEqual({ changes: [], read: new Set(), needsRefetch: false })
  // the page was read in between
  const row = { writeOffId: 'W1', recordId: 'RR9', state: 'pending', version: 1 } as WriteOffRow
  expect(
    applyWriteOffEvents(
      byId([row], (one) => one.writeOffId),
      [launched],
      {},
      'gone',
    ),
  ).toMatchObject({ changes: [], needsRefetch: false })
})

test('a decided write-off leaves the list of pending ones, and is read again in any other list', () => {
  const rows = byId(
    [{ writeOffId: 'W1', recordId: 'RR9', state: 'pending', version: 1 } as WriteOffRow],
    (one) => one.writeOffId,
  )
  const failed = recordEvent('RR9', 2, { payState: 'fail', source: 'writeOff' })
  const done = event('writeoff.done', 2, {
    writeOffId: 'W1',
    orderId: 'L1',
    type: 'full',
    amount: 100,
  })
  for (const answer of [failed, done]) {
    expect(applyWriteOffEvents(rows, [answer], { state: 'pending' }, 'gone')).toEqual({
      changes: [{ kind: 'leave', id: 'W1', reason: 'gone' }],
      read: new Set(),
      needsRefetch: false,
    })
    expect(applyWriteOffEvents(rows, [answer], {}, 'gone')).toEqual({
      changes: [],
      read: new Set(['W1']),
      needsRefetch: false,
    })
  }
})
