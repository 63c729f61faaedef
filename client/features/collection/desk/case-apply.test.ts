import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { caseEvent as event } from '#tests/factories/case-event.ts'
import { applyCaseEvents, inScope } from './case-apply.ts'
import type { CaseRow, CaseTab, CaseViewer } from './case-types.ts'

const me: CaseViewer = {
  userId: 'U1',
  scope: 'own',
  agencyId: 'A1',
  departmentId: 'D1',
  groupId: 'G1',
}
const leader: CaseViewer = { ...me, userId: 'U9', scope: 'group' }
const row = (changes: Partial<CaseRow> = {}): CaseRow =>
  ({
    caseId: 'CA1',
    collectorId: 'U1',
    collectorName: 'Asha',
    agencyId: 'A1',
    groupId: 'G1',
    departmentId: 'D1',
    state: 'allocated',
    token: 1,
    outstanding: 500_00,
    attemptsToday: 0,
    version: 3,
    ...changes,
  }) as CaseRow
const apply = (events: LiveEvent[], viewer = me, tab: CaseTab = 'toFollow', rows = [row()]) =>
  applyCaseEvents(
    { tab, viewer, rows: new Map(rows.map((one) => [one.caseId, one])) },
    events,
    (why, { name, reason }) => [why, name, reason].filter(Boolean).join(' '),
  )
const given = (to: string | null, more: Record<string, unknown> = {}) => ({
  caseId: 'CA1',
  orderId: 'L1',
  stageId: 'S1',
  from: 'U1',
  fromName: 'Asha',
  to,
  toName: 'Ravi',
  agencyId: 'A1',
  agencyName: 'Own',
  departmentId: 'D1',
  groupId: 'G1',
  groupName: 'One',
  cause: 'change',
  outstanding: 500_00,
  state: 'allocated',
  token: 2,
  allocationTime: null,
  needsIntimation: false,
  intimatedAt: null,
  ...more,
})

test("a case moved to a colleague leaves its former holder's list; a leader of both sees the new holder", () => {
  expect(apply([event('case.allocated', given('U2'), 4)]).changes).toMatchObject([
    { kind: 'patch', version: 4, changes: { collectorId: 'U2', token: 2 } },
    { kind: 'leave', id: 'CA1', version: 4, reason: 'movedTo Ravi' },
  ])
  expect(apply([event('case.allocated', given('U2'), 4)], leader).changes).toMatchObject([
    { kind: 'patch', changes: { collectorName: 'Ravi' } },
  ])
})

test('a case assigned to the viewer is counted, not inserted into the list', () => {
  expect(
    apply([event('case.allocated', { ...given('U1'), caseId: 'CA2', from: null }, 2)]).changes,
  ).toEqual([{ kind: 'new', id: 'CA2' }])
  expect(
    apply([
      event('cases.allocated', {
        runId: 'AR1',
        to: 'U1',
        stageIds: ['S1'],
        count: 2,
        outstanding: 1,
        caseIds: ['CA3', 'CA4'],
      }),
    ]).changes,
  ).toEqual([
    { kind: 'new', id: 'CA3' },
    { kind: 'new', id: 'CA4' },
  ])
  expect(
    apply([
      event('cases.allocated', {
        runId: 'AR1',
        to: 'U2',
        stageIds: ['S1'],
        count: 1,
        outstanding: 1,
        caseIds: ['CA3'],
      }),
    ]).changes,
  ).toEqual([])
})

test('cases allocated by a run leave the pool', () => {
  const pool = [row({ collectorId: null, state: 'unallocated' })]
  expect(
    apply(
      [
        event('cases.allocated', {
          runId: 'AR1',
          to: 'U1',
          stageIds: ['S1'],
          count: 1,
          outstanding: 1,
          caseIds: ['CA1'],
        }),
      ],
      leader,
      'toAllocate',
      pool,
    ).changes,
  ).toMatchObject([{ kind: 'leave', id: 'CA1' }])
})

test("cases recalled in one step leave the holder's list and enter the pool", () => {
  const taken = (place: Record<string, unknown> = {}) =>
    event('cases.recalled', {
      runId: 'AR1',
      from: 'U1',
      reason: 'undone',
      agencyId: null,
      departmentId: null,
      groupId: null,
      count: 1,
      caseIds: ['CA1'],
      ...place,
    })
  expect(apply([taken()]).changes).toMatchObject([
    { kind: 'leave', id: 'CA1', reason: 'takenBack undone' },
  ])
  expect(apply([taken()], leader, 'toAllocate', []).changes).toEqual([])
  expect(apply([taken()], { ...leader, scope: 'all' }, 'toAllocate', []).changes).toEqual([
    { kind: 'new', id: 'CA1' },
  ])
  expect(
    apply([taken({ agencyId: 'A1', departmentId: 'D1', groupId: 'G1' })], leader, 'toAllocate', [])
      .changes,
  ).toEqual([{ kind: 'new', id: 'CA1' }])
})

test('a case recalled and reassigned in one run is not counted for the pool and is read again', () => {
  const events = [
    event('cases.recalled', {
      runId: 'AR1',
      from: 'U1',
      reason: 'reallocated',
      agencyId: null,
      departmentId: null,
      groupId: null,
      count: 1,
      caseIds: ['CA1'],
    }),
    event('cases.allocated', {
      runId: 'AR1',
      to: null,
      stageIds: ['S1'],
      count: 1,
      outstanding: 1,
      caseIds: ['CA1'],
    }),
  ]
  const manager: CaseViewer = { ...leader, scope: 'all' }
  expect(apply(events, manager, 'toAllocate', []).changes).toMatchObject([
    { kind: 'leave', id: 'CA1' },
  ])
  expect([...apply(events.slice(1), manager).read]).toEqual(['CA1'])
})

test.each([
  [
    'taken back',
    'case.recalled',
    {
      caseId: 'CA1',
      from: 'U1',
      fromName: 'Asha',
      reason: 'noActivity',
      state: 'unallocated',
      token: 2,
      agencyId: null,
    },
    'takenBack noActivity',
  ],
  [
    'held',
    'case.stop.changed',
    {
      stopId: 'SC1',
      userId: 'C1',
      caseIds: ['CA1'],
      reason: 'dispute',
      state: 'active',
      stopVersion: 1,
      decideBy: null,
      caseState: 'held',
      holdReason: 'dispute',
      holdUntil: null,
      endTime: null,
    },
    'held dispute',
  ],
  [
    'paid',
    'case.ended',
    {
      caseId: 'CA1',
      orderId: 'L1',
      endReason: 'repaid',
      endTime: '2026-11-21T05:00:00.000Z',
      recovered: 1,
      state: 'closed',
    },
    'paid repaid',
  ],
])('a case that is %s leaves with the reason', (_title, type, data, reason) => {
  expect(apply([event(type, data, 4)]).changes).toContainEqual(
    expect.objectContaining({ kind: 'leave', id: 'CA1', reason }),
  )
})

test('a case that leaves a unit or returns refreshes its processed list, except for scope all', () => {
  const refetches = (
    type: string,
    data: Record<string, unknown>,
    viewer = me,
    rows: CaseRow[] = [],
  ) => apply([event(type, data, 4)], viewer, 'ended', rows).needsRefetch
  const recalled = {
    caseId: 'CA1',
    from: 'U1',
    fromName: 'Asha',
    reason: 'noActivity',
    state: 'unallocated',
    token: 2,
    agencyId: null,
  }
  const many = {
    runId: 'AR1',
    from: 'U1',
    reason: 'undone',
    agencyId: null,
    departmentId: null,
    groupId: null,
    count: 1,
    caseIds: ['CA1'],
  }
  expect([
    refetches('case.recalled', recalled),
    refetches('cases.recalled', many),
    refetches('case.allocated', given('U2')),
    refetches('case.created', {
      caseId: 'CA1',
      orderId: 'L1',
      stageId: 'S1',
      outstanding: 1,
      reopened: true,
    }),
  ]).toEqual([true, true, true, true])
  // a colleague of the group has it now
  expect(refetches('case.allocated', given('U2'), leader)).toBe(false)
  const manager: CaseViewer = { ...leader, scope: 'all' }
  expect([
    refetches('case.recalled', recalled, manager),
    refetches('cases.recalled', many, manager),
    refetches('case.allocated', given('U2'), manager),
  ]).toEqual([false, false, false])
  const left = [row({ endReason: 'recalled' })]
  expect(
    apply([event('case.allocated', given('U1'), 4)], me, 'ended', left).changes,
  ).toContainEqual(expect.objectContaining({ kind: 'leave', id: 'CA1' }))
  expect(
    apply(
      [
        event('cases.allocated', {
          runId: 'AR1',
          to: 'U1',
          stageIds: ['S1'],
          count: 1,
          outstanding: 1,
          caseIds: ['CA1'],
        }),
      ],
      me,
      'ended',
      left,
    ).changes,
  ).toMatchObject([{ kind: 'leave', id: 'CA1' }])
})

test('a payment changes the amounts; the start of a call changes the attempts but not the version', () => {
  expect(
    apply([
      event(
        'case.amount.changed',
        {
          caseId: 'CA1',
          orderId: 'L1',
          amountDue: 500_00,
          paidAmount: 100_00,
          paidToday: 100_00,
          recovered: 100_00,
          outstanding: 400_00,
          paid: 100_00,
          overdueDays: 5,
          rbiClass: 'sma0',
        },
        4,
      ),
    ]).changes,
  ).toMatchObject([
    { kind: 'patch', version: 4, changes: { outstanding: 400_00, paidToday: 100_00, version: 4 } },
  ])
  const began = apply([
    event('case.followed', {
      caseId: 'CA1',
      followId: null,
      contactResult: null,
      willingness: null,
      commitmentTime: null,
      nextFollowTime: null,
      lastFollowTime: null,
      followCount: 0,
      attemptsToday: 1,
      attemptsWeek: 4,
    }),
  ]).changes
  expect(began).toEqual([
    { kind: 'patch', id: 'CA1', changes: { attemptsToday: 1, attemptsWeek: 4 } },
  ])
})

test('a place is in scope by its unit, for a collector by the holder alone', () => {
  const place = { agencyId: 'A1', departmentId: 'D1', groupId: 'G1' }
  expect(inScope(me, 'U1', place)).toBe(true)
  expect(inScope(me, 'U2', place)).toBe(false)
  expect(inScope(leader, null, place)).toBe(true)
  expect(inScope(leader, null, { ...place, groupId: null })).toBe(false)
  expect(
    inScope({ ...me, scope: 'agency' }, null, {
      agencyId: 'A2',
      departmentId: null,
      groupId: null,
    }),
  ).toBe(false)
})
