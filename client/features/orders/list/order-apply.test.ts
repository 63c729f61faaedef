import { expect, test } from 'vitest'
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { createLiveStore } from '#client/ui/grid/live-store.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { OrderRow } from '../order-types.ts'
import {
  applyOrderEvents,
  type AppliedToList,
  type LeaveWords,
  ORDER_LIST_EVENTS,
} from './order-apply.ts'
import type { OrderFilters } from './order-filters.ts'

const T = '2026-11-20T06:00:00.000Z'
let seq = 0

function row(id: string, fields: Partial<OrderRow> = {}): OrderRow {
  return {
    orderId: id,
    userId: `C${id}`,
    userName: 'Priya Sharma',
    phone: 'XXXXXX3210',
    appId: 'AP1',
    appName: 'RupeeNest',
    productId: 'PR1',
    productName: 'Quick 7',
    channelId: 'CH1',
    channelName: 'Organic',
    amount: 800_000,
    arrivalAmount: 780_000,
    serviceCharge: 20_000,
    interest: 5_040,
    contractAmount: 805_040,
    tenureDays: 7,
    term: 1,
    dueTime: null,
    closeTime: null,
    closeType: 'notClosed',
    status: 22,
    tags: ['firstLoan'],
    couponIds: [],
    couponNames: [],
    failReason: null,
    overdueDays: 0,
    reviewId: `R${id}`,
    outstanding: 0,
    rbiClass: 'standard',
    kfsVersion: 'KFS-3',
    kfsAcceptTime: T,
    coolingOffUntil: null,
    createTime: T,
    disburseTime: null,
    approval: null,
    version: 3,
    ...fields,
  }
}

function event(type: string, data: Record<string, unknown>, version?: number): LiveEvent {
  seq += 1
  return {
    seq,
    id: `e${seq}`,
    type,
    subject: `order:${String(data.orderId)}`,
    time: T,
    actor: { userId: 'ben', userName: 'Ben' },
    data,
    ...(version === undefined ? {} : { version }),
  }
}
const MOVED = {
  tags: ['firstLoan'],
  outstanding: 0,
  closeType: 'notClosed',
  closeTime: null,
  dueTime: null,
  disburseTime: null,
  failReason: null,
  cause: 'cause',
}
const moved = (
  id: string,
  version: number,
  from: number,
  to: number,
  more: Record<string, unknown> = {},
) =>
  event(
    'order.status.changed',
    { orderId: id, userId: `C${id}`, from, to, ...MOVED, ...more },
    version,
  )
const cancelled = (id: string, version: number, from = 22) =>
  moved(id, version, from, 70, { closeTime: T })
const created = (id: string, more: Record<string, unknown> = {}) =>
  event(
    'order.created',
    { orderId: id, userId: `C${id}`, status: 10, tags: ['firstLoan'], amount: 800_000, ...more },
    1,
  )
const updated = (id: string, fields: string[]) => event('order.updated', { orderId: id, fields })
const claimed = (reviewId: string) =>
  event(
    'review.claimed',
    { reviewId, reviewerId: 'ben', reviewerName: 'Ben', leaseUntil: T, token: 2, state: 'toAudit' },
    9,
  )

const words: LeaveWords = (key, { status, name }) =>
  [key, status, name].filter((part) => part !== undefined).join(' ')
const run = (
  rows: readonly OrderRow[],
  filters: OrderFilters,
  events: readonly LiveEvent[],
  seesAll = true,
): AppliedToList =>
  applyOrderEvents(
    { rows: new Map(rows.map((one) => [one.orderId, one])), filters, seesAll },
    events,
    words,
  )
const texts = (changes: readonly LiveChange[]) =>
  changes.map((change) => `${change.kind} ${change.id}`)

interface Outcome {
  kinds: string[]
  read?: string[]
  needsRefetch?: boolean
}

test.each<
  [fact: string, rows: OrderRow[], filters: OrderFilters, events: LiveEvent[], outcome: Outcome]
>([
  ['a status change patches its row', [row('A')], {}, [cancelled('A', 4)], { kinds: ['patch A'] }],
  [
    'a row whose status leaves the filter is removed',
    [row('A')],
    { status: ['22'] },
    [cancelled('A', 4)],
    { kinds: ['patch A', 'leave A'] },
  ],
  [
    'a row that matches one of several statuses stays',
    [row('A')],
    { status: ['22', '70'] },
    [cancelled('A', 4)],
    { kinds: ['patch A'] },
  ],
  [
    'an older version is ignored',
    [row('A', { status: 26, version: 5 })],
    { status: ['26'] },
    [cancelled('A', 5)],
    { kinds: [] },
  ],
  [
    'the later of two changes wins',
    [row('A')],
    { status: ['22', '26'] },
    [moved('A', 4, 22, 26), cancelled('A', 5, 26)],
    { kinds: ['patch A', 'patch A', 'leave A'] },
  ],
  [
    'a close type that leaves the filter removes the row',
    [row('A', { status: 43 })],
    { closeType: 'notClosed' },
    [moved('A', 4, 43, 40, { closeType: 'repaidClosed', closeTime: T })],
    { kinds: ['patch A', 'leave A'] },
  ],
  [
    'a due day outside the filter removes the row',
    [row('A', { status: 29, dueTime: '2026-11-25' })],
    { dueTime: { to: '2026-11-30' } },
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: ['patch A', 'leave A'] },
  ],
  ['an order on another page is not new', [], {}, [cancelled('A', 4)], { kinds: [] }],
  [
    'an order that enters the filtered statuses is new',
    [],
    { status: ['29'] },
    [moved('A', 4, 26, 29)],
    { kinds: ['new A'] },
  ],
  [
    'an order that enters and leaves in one batch is not new',
    [],
    { status: ['29'] },
    [moved('A', 4, 26, 29), moved('A', 5, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: [] },
  ],
  [
    'an order that was already in the filtered statuses is not new',
    [],
    { status: ['26', '29'] },
    [moved('A', 4, 26, 29)],
    { kinds: [] },
  ],
  [
    'an order of another customer is not new',
    [],
    { status: ['29'], userId: 'CZ' },
    [moved('A', 4, 26, 29)],
    { kinds: [] },
  ],
  [
    'an order that may match the product filter is checked with the server',
    [],
    { status: ['29'], productId: 'PR1' },
    [moved('A', 4, 26, 29)],
    { kinds: [], needsRefetch: true },
  ],
  [
    'an order that gets a due day inside the due range is new',
    [],
    { dueTime: { from: '2026-12-01', to: '2026-12-01' } },
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: ['new A'] },
  ],
  [
    'an order that becomes overdue is checked with the server for an overdue range',
    [],
    { overdue: { from: 1 } },
    [moved('A', 4, 30, 50, { dueTime: '2026-11-19', disburseTime: T })],
    { kinds: [], needsRefetch: true },
  ],
  [
    'a row that becomes overdue is refetched for its overdue days and class',
    [row('A', { status: 30 })],
    {},
    [moved('A', 4, 30, 50, { dueTime: '2026-11-19', disburseTime: T })],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'a row sent to manual review is refetched for its review',
    [row('A', { status: 10, reviewId: null })],
    {},
    [moved('A', 4, 10, 22)],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'a starting loan is refetched for its cooling-off',
    [row('A', { status: 29 })],
    {},
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T, outstanding: 805_040 })],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'a row that returns is corrected by refetching the page',
    [row('A', { status: 31 })],
    { status: ['29'] },
    [moved('A', 4, 31, 29)],
    { kinds: ['patch A'], needsRefetch: true },
  ],
  ['a new order is new', [], {}, [created('A')], { kinds: ['new A'] }],
  [
    'a new order that matches the filters is new',
    [],
    {
      status: ['10'],
      tags: ['firstLoan'],
      amount: { from: 700_000, to: 900_000 },
      createTime: { from: '2026-11-20', to: '2026-11-20' },
      closeType: 'notClosed',
    },
    [created('A')],
    { kinds: ['new A'] },
  ],
  [
    'a new order outside the amount range is not new',
    [],
    { amount: { from: 900_000 } },
    [created('A')],
    { kinds: [] },
  ],
  [
    'a new order is outside every due range',
    [],
    { dueTime: { from: '2026-11-01' } },
    [created('A')],
    { kinds: [] },
  ],
  [
    'a new order of another status is not new',
    [],
    { status: ['22'] },
    [created('A')],
    { kinds: [] },
  ],
  [
    'a new order is checked with the server for a name filter',
    [],
    { userName: 'Asha' },
    [created('A')],
    { kinds: [], needsRefetch: true },
  ],
  [
    'an order already on the page is not new again',
    [row('A', { status: 10 })],
    {},
    [created('A')],
    { kinds: [] },
  ],
  ['a remark changes no row', [row('A')], {}, [updated('A', ['remarks'])], { kinds: [] }],
  [
    'a row with a changed field is refetched',
    [row('A')],
    {},
    [updated('A', ['rbiClass'])],
    { kinds: [], read: ['A'] },
  ],
  [
    'a claim changes nothing for a user who sees all orders',
    [row('A')],
    {},
    [claimed('RA')],
    { kinds: [] },
  ],
])('%s', (_, rows, filters, events, outcome) => {
  const { changes, read, needsRefetch } = run(rows, filters, events)
  expect({ kinds: texts(changes), read: [...read.keys()], needsRefetch }).toEqual({
    kinds: outcome.kinds,
    read: outcome.read ?? [],
    needsRefetch: outcome.needsRefetch ?? false,
  })
})

test('a patched row equals a refetched row', () => {
  const before = row('A', { status: 29, version: 6 })
  const onServer = row('A', {
    status: 30,
    version: 7,
    dueTime: '2026-12-01',
    disburseTime: T,
    outstanding: 805_040,
    tags: ['firstLoan'],
  })
  const { rows, changes } = run([before], {}, [
    moved('A', 7, 29, 30, { dueTime: '2026-12-01', disburseTime: T, outstanding: 805_040 }),
  ])
  expect(rows.get('A')).toEqual(onServer)
  const store = createLiveStore<OrderRow>({
    idOf: (one) => one.orderId,
    versionOf: (one) => one.version,
  })
  store.take([before], true)
  store.push(changes)
  expect(store.rows()).toEqual([onServer])
})

test('a repaid order is patched with its close type and close time', () => {
  const before = row('A', {
    status: 43,
    dueTime: '2026-12-01',
    disburseTime: T,
    outstanding: 805_040,
    version: 8,
  })
  const { rows } = run([before], {}, [
    moved('A', 9, 43, 40, {
      dueTime: '2026-12-01',
      disburseTime: T,
      closeType: 'repaidClosed',
      closeTime: T,
      outstanding: 0,
    }),
  ])
  expect(rows.get('A')).toEqual({
    ...before,
    status: 40,
    closeType: 'repaidClosed',
    closeTime: T,
    outstanding: 0,
    version: 9,
  })
})

test('a failed payout patches the failure reason into the row', () => {
  const { rows } = run([row('A', { status: 29 })], {}, [
    moved('A', 4, 29, 31, { failReason: 'Account closed' }),
  ])
  expect(rows.get('A')).toMatchObject({ status: 31, failReason: 'Account closed', version: 4 })
})

test('a user who sees orders through reviews learns who claimed one', () => {
  expect([...run([row('A')], {}, [claimed('RA')], false).read]).toEqual([['A', 'claimed Ben']])
  const named = event(
    'review.state.changed',
    {
      reviewId: 'RA',
      orderId: 'A',
      from: 'unclaimed',
      to: 'toAudit',
      reviewerId: 'ben',
      manualResult: null,
      rejectCode: null,
      finishTime: null,
    },
    9,
  )
  expect([...run([row('A')], {}, [claimed('RA'), named], false).read]).toEqual([
    ['A', 'claimed Ben'],
  ])
  expect(run([row('A')], {}, [claimed('RZ')], false)).toMatchObject({
    changes: [],
    needsRefetch: true,
  })
})

test('a row that leaves the list shows its new status as the reason', () => {
  const { changes } = run([row('A')], { status: ['22'] }, [cancelled('A', 4)])
  expect(changes.at(-1)).toEqual({ kind: 'leave', id: 'A', version: 4, reason: 'status 70' })
})

test('the list subscribes to every event it applies', () => {
  expect([...ORDER_LIST_EVENTS].toSorted()).toEqual([
    'approval.changed',
    'order.created',
    'order.status.changed',
    'order.updated',
    'review.claimed',
    'review.handover.changed',
    'review.queued',
    'review.released',
    'review.state.changed',
  ])
})
