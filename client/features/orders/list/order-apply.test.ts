import { expect, test } from 'vitest'
import type { LiveChange } from '#client/ui/live-rows.ts'
import { createLiveStore } from '#client/ui/live-store.ts'
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
const said = (changes: readonly LiveChange[]) =>
  changes.map((change) => `${change.kind} ${change.id}`)

interface Outcome {
  kinds: string[]
  read?: string[]
  ask?: boolean
}

test.each<
  [fact: string, rows: OrderRow[], filters: OrderFilters, events: LiveEvent[], outcome: Outcome]
>([
  ['a status change patches its row', [row('A')], {}, [cancelled('A', 4)], { kinds: ['patch A'] }],
  [
    'a row whose status leaves the filter is taken away',
    [row('A')],
    { status: ['22'] },
    [cancelled('A', 4)],
    { kinds: ['patch A', 'leave A'] },
  ],
  [
    'a row that still fits one of several statuses stays',
    [row('A')],
    { status: ['22', '70'] },
    [cancelled('A', 4)],
    { kinds: ['patch A'] },
  ],
  [
    'an older version changes nothing',
    [row('A', { status: 26, version: 5 })],
    { status: ['26'] },
    [cancelled('A', 5)],
    { kinds: [] },
  ],
  [
    'the later of two changes decides',
    [row('A')],
    { status: ['22', '26'] },
    [moved('A', 4, 22, 26), cancelled('A', 5, 26)],
    { kinds: ['patch A', 'patch A', 'leave A'] },
  ],
  [
    'a close type that leaves the filter takes the row away',
    [row('A', { status: 43 })],
    { closeType: 'notClosed' },
    [moved('A', 4, 43, 40, { closeType: 'repaidClosed', closeTime: T })],
    { kinds: ['patch A', 'leave A'] },
  ],
  [
    'a due day outside the filter takes the row away',
    [row('A', { status: 29, dueTime: '2026-11-25' })],
    { dueTime: { to: '2026-11-30' } },
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: ['patch A', 'leave A'] },
  ],
  ['an order elsewhere in the list is not new', [], {}, [cancelled('A', 4)], { kinds: [] }],
  [
    'an order that comes into the filtered statuses is new',
    [],
    { status: ['29'] },
    [moved('A', 4, 26, 29)],
    { kinds: ['new A'] },
  ],
  [
    'an order that came and went on in one breath is not new',
    [],
    { status: ['29'] },
    [moved('A', 4, 26, 29), moved('A', 5, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: [] },
  ],
  [
    'an order that stood in the filtered statuses before is not new',
    [],
    { status: ['26', '29'] },
    [moved('A', 4, 26, 29)],
    { kinds: [] },
  ],
  [
    'an order of another customer does not arrive',
    [],
    { status: ['29'], userId: 'CZ' },
    [moved('A', 4, 26, 29)],
    { kinds: [] },
  ],
  [
    'an order that may be of the product filtered for is asked about',
    [],
    { status: ['29'], productId: 'PR1' },
    [moved('A', 4, 26, 29)],
    { kinds: [], ask: true },
  ],
  [
    'an order that gets a due day arrives in the due range',
    [],
    { dueTime: { from: '2026-12-01', to: '2026-12-01' } },
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T })],
    { kinds: ['new A'] },
  ],
  [
    'an order that falls overdue is asked about in an overdue range',
    [],
    { overdue: { from: 1 } },
    [moved('A', 4, 30, 50, { dueTime: '2026-11-19', disburseTime: T })],
    { kinds: [], ask: true },
  ],
  [
    'overdue days and class of a row that falls overdue are read',
    [row('A', { status: 30 })],
    {},
    [moved('A', 4, 30, 50, { dueTime: '2026-11-19', disburseTime: T })],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'the review of a row sent to the desk is read',
    [row('A', { status: 10, reviewId: null })],
    {},
    [moved('A', 4, 10, 22)],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'the cooling-off of a loan that begins is read',
    [row('A', { status: 29 })],
    {},
    [moved('A', 4, 29, 30, { dueTime: '2026-12-01', disburseTime: T, outstanding: 805_040 })],
    { kinds: ['patch A'], read: ['A'] },
  ],
  [
    'a row that comes back is put right by the page',
    [row('A', { status: 31 })],
    { status: ['29'] },
    [moved('A', 4, 31, 29)],
    { kinds: ['patch A'], ask: true },
  ],
  ['a new order is new', [], {}, [created('A')], { kinds: ['new A'] }],
  [
    'a new order that fits the filters is new',
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
    'a new order outside the amounts is not',
    [],
    { amount: { from: 900_000 } },
    [created('A')],
    { kinds: [] },
  ],
  [
    'a new order has no due day',
    [],
    { dueTime: { from: '2026-11-01' } },
    [created('A')],
    { kinds: [] },
  ],
  ['a new order of another status is not', [], { status: ['22'] }, [created('A')], { kinds: [] }],
  [
    'a new order under a name is asked about',
    [],
    { userName: 'Asha' },
    [created('A')],
    { kinds: [], ask: true },
  ],
  [
    'an order that is shown already is not new again',
    [row('A', { status: 10 })],
    {},
    [created('A')],
    { kinds: [] },
  ],
  ['a remark changes no row', [row('A')], {}, [updated('A', ['remarks'])], { kinds: [] }],
  [
    'a changed field of the row is read',
    [row('A')],
    {},
    [updated('A', ['rbiClass'])],
    { kinds: [], read: ['A'] },
  ],
  [
    'a claim changes nothing for who sees all orders',
    [row('A')],
    {},
    [claimed('RA')],
    { kinds: [] },
  ],
])('%s', (_, rows, filters, events, outcome) => {
  const { changes, read, ask } = run(rows, filters, events)
  expect({ kinds: said(changes), read: [...read.keys()], ask }).toEqual({
    kinds: outcome.kinds,
    read: outcome.read ?? [],
    ask: outcome.ask ?? false,
  })
})

test('a patched row is what reading it again gives', () => {
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

test('a repaid order is patched with how and when it closed', () => {
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

test('a failed payout brings its reason into the row', () => {
  const { rows } = run([row('A', { status: 29 })], {}, [
    moved('A', 4, 29, 31, { failReason: 'Account closed' }),
  ])
  expect(rows.get('A')).toMatchObject({ status: 31, failReason: 'Account closed', version: 4 })
})

test('who sees orders through reviews reads the row of a claimed review, and hears by whom when it is gone', () => {
  expect([...run([row('A')], {}, [claimed('RA')], false).read]).toEqual([['A', 'claimed Ben']])
  const told = event(
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
  expect([...run([row('A')], {}, [claimed('RA'), told], false).read]).toEqual([
    ['A', 'claimed Ben'],
  ])
  expect(run([row('A')], {}, [claimed('RZ')], false)).toMatchObject({ changes: [], ask: true })
})

test('a row leaves with its new status as the reason', () => {
  const { changes } = run([row('A')], { status: ['22'] }, [cancelled('A', 4)])
  expect(changes.at(-1)).toEqual({ kind: 'leave', id: 'A', version: 4, reason: 'status 70' })
})

test('every event of the list is heard', () => {
  expect([...ORDER_LIST_EVENTS].sort()).toEqual([
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
