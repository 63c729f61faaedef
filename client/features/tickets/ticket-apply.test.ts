import { expect, test } from 'vitest'
import { type LiveChange } from '#client/ui/grid/live-rows.ts'
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_CREATED,
  TICKET_ESCALATED,
  TICKET_HANDOVER_CHANGED,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import { CASE_STOP_CHANGED } from '#shared/collection/collection-live.ts'
import { applyTicketEvents, type LiveFilters, type TicketListView } from './ticket-apply.ts'
import { applyToTicket, updateOf } from './desk/ticket-update.ts'
import { AGENT_CODES, ASHA, LEADER_CODES, ticketRow, viewer } from './testing/rows.ts'
import type { TicketRow, TicketTab } from './ticket-types.ts'

let seq = 0
function event<K extends LiveEventKind>(
  kind: K,
  version: number | undefined,
  data: DataOfEvent<K>,
): LiveEvent {
  seq += 1
  return {
    seq,
    id: `e${seq}`,
    type: kind.type,
    subject: 'ticket:F1',
    time: '2026-11-21T05:00:00.000Z',
    actor: { userId: 'asha', userName: 'Asha K' },
    ...(version === undefined ? {} : { version }),
    data,
  }
}
const given = (
  version: number,
  to: string | null,
  more: Partial<DataOfEvent<typeof TICKET_ASSIGNED>> = {},
) =>
  event(TICKET_ASSIGNED, version, {
    feedbackId: 'F1',
    queue: 'operation',
    fromUserId: null,
    toUserId: to,
    toUserName: to === null ? null : to === 'asha' ? 'Asha K' : 'Ben',
    progress: to === null ? 'unprocessed' : 'followingUp',
    department: null,
    departmentName: null,
    leaseUntil: null,
    token: version,
    cause: to === null ? 'released' : 'claimed',
    ...more,
  })
const state = (version: number, more: Partial<DataOfEvent<typeof TICKET_STATE_CHANGED>> = {}) =>
  event(TICKET_STATE_CHANGED, version, {
    feedbackId: 'F1',
    queue: 'operation',
    from: 'followingUp',
    to: 'followingUp',
    followState: 'following',
    evaluation: null,
    processorId: 'asha',
    processorName: 'Asha K',
    firstReplyTime: '2026-11-21T05:00:00.000Z',
    dueTime: '2026-12-21T18:29:59.999Z',
    finishTime: null,
    leaseUntil: null,
    token: 1,
    ...more,
  })
const handover = (version: number, at: 'pending' | 'approved' | 'rejected') =>
  event(TICKET_HANDOVER_CHANGED, version, {
    handoverId: 'H1',
    feedbackId: 'F1',
    queue: 'operation',
    fromUserId: 'asha',
    fromName: 'Asha K',
    toUserId: 'ben',
    toName: 'Ben',
    toDepartment: null,
    toDepartmentName: null,
    state: at,
    cause: null,
  })

const asha = viewer('asha', AGENT_CODES)
const ben = viewer('ben', AGENT_CODES)
const lead = viewer('lead', LEADER_CODES)
function view(
  tab: TicketTab,
  rows: TicketRow[] = [],
  who = asha,
  filters: LiveFilters = {},
): TicketListView {
  return {
    tab,
    queue: 'operation',
    viewer: who,
    filters,
    rows: new Map(rows.map((row) => [row.feedbackId, row])),
  }
}
const words = (why: string, { name }: { name: string }) => `${why} ${name}`.trim()
const apply = (list: TicketListView, ...events: LiveEvent[]) =>
  applyTicketEvents(list, events, words)
const kinds = (changes: readonly LiveChange[]) =>
  changes.map((change) => (change.kind === 'leave' ? `leave: ${change.reason}` : change.kind))

test('a new ticket increases the count of its queue only', () => {
  const created = event(TICKET_CREATED, 1, {
    feedbackId: 'F9',
    type: 5,
    queue: 'operation',
    dueTime: '2026-11-21T09:00:00.000Z',
  })
  expect(kinds(apply(view('queue'), created).changes)).toEqual(['new'])
  expect(kinds(apply(view('mine'), created).changes)).toEqual([])
  expect(kinds(apply({ ...view('queue'), queue: 'loaned' }, created).changes)).toEqual([])
  expect(kinds(apply(view('queue', [], asha, { type: ['1'] }), created).changes)).toEqual([])
})

test('a claimed ticket stays in the queue with its new processor', () => {
  const { changes, needsRefetch } = apply(view('queue', [ticketRow()]), given(2, 'ben'))
  expect(changes).toEqual([
    {
      kind: 'patch',
      id: 'F1',
      version: 2,
      changes: {
        processorId: 'ben',
        processorName: 'Ben',
        progress: 'followingUp',
        department: null,
        departmentName: null,
        leaseUntil: null,
        token: 2,
        version: 2,
      },
    },
  ])
  expect(needsRefetch).toBe(true)
})

test('a ticket that another person gets leaves the own tab and shows its new processor', () => {
  expect(kinds(apply(view('mine', [ticketRow(ASHA)]), given(3, 'ben')).changes)).toEqual([
    'patch',
    'leave: taken Ben',
  ])
  expect(kinds(apply(view('mine', [], ben), given(3, 'ben')).changes)).toEqual(['new'])
  expect(kinds(apply(view('mine', [ticketRow(ASHA)]), given(3, null)).changes)).toEqual([
    'patch',
    'leave: back',
  ])
})

test('the first reply starts the second clock', () => {
  const row = ticketRow(ASHA)
  const { changes } = apply(view('mine', [row]), state(2))
  expect(changes[0]).toMatchObject({
    changes: {
      followState: 'following',
      dueTime: '2026-12-21T18:29:59.999Z',
      dueFromTime: '2026-11-21T05:00:00.000Z',
    },
  })
  const later = ticketRow({
    ...ASHA,
    firstReplyTime: '2026-11-21T05:00:00.000Z',
    dueFromTime: '2026-11-21T05:00:00.000Z',
  })
  expect(apply(view('mine', [later]), state(3)).changes[0]).not.toHaveProperty(
    'changes.dueFromTime',
  )
})

test('a resolved ticket moves to the resolved tab; a reopened one is fetched because its clock is new', () => {
  const ended = state(4, {
    to: 'finished',
    followState: 'caseClosed',
    finishTime: '2026-11-21T06:00:00.000Z',
  })
  expect(kinds(apply(view('queue', [ticketRow(ASHA)]), ended).changes)).toEqual([
    'patch',
    'leave: finished Asha K',
  ])
  expect(kinds(apply(view('finished'), ended).changes)).toEqual(['new'])
  const reopened = state(5, { from: 'finished' })
  expect([
    ...apply(view('all', [ticketRow({ ...ASHA, progress: 'finished' })]), reopened).read,
  ]).toEqual(['F1'])
})

test('a requested hand-over is fetched by its participants, and a decided one leaves the tab', () => {
  const asked = apply(view('handover', [], ben), handover(3, 'pending'))
  expect(kinds(asked.changes)).toEqual(['new'])
  expect([...apply(view('mine', [ticketRow(ASHA)]), handover(3, 'pending')).read]).toEqual(['F1'])
  const pending = ticketRow({
    ...ASHA,
    handoverState: 'pending',
    handoverId: 'H1',
    handoverById: 'asha',
    handoverToId: 'ben',
    handoverTo: 'Ben',
  })
  expect(kinds(apply(view('handover', [pending], ben), handover(4, 'rejected')).changes)).toEqual([
    'patch',
    'leave: decided Asha K',
  ])
  expect(
    kinds(
      apply(
        view('handover', [pending], lead),
        handover(4, 'approved'),
        given(4, 'ben', { cause: 'handover' }),
      ).changes,
    ),
  ).toEqual(['patch', 'leave: decided Asha K', 'patch'])
})

test('a row leaves when a filtered field no longer fits, and stays when the field is not filtered', () => {
  expect(
    kinds(
      apply(view('queue', [ticketRow()], lead, { progress: ['unprocessed'] }), given(2, 'ben'))
        .changes,
    ),
  ).toEqual(['patch', 'leave: taken Ben'])
  expect(
    kinds(
      apply(
        view('queue', [ticketRow()], lead, { level: ['0'] }),
        event(TICKET_ESCALATED, 2, {
          feedbackId: 'F1',
          queue: 'operation',
          level: 1,
          department: null,
          dueTime: '2026-11-21T06:00:00.000Z',
        }),
      ).changes,
    ),
  ).toEqual(['patch', 'leave: moved'])
})

test('a missed due time moves no row, but the figures are fetched', () => {
  const { changes, needsRefetch } = apply(
    view('queue', [ticketRow()]),
    event(TICKET_SLA_DUE, undefined, {
      feedbackId: 'F1',
      queue: 'operation',
      dueTime: '2026-11-21T08:00:00.000Z',
      missed: true,
    }),
  )
  expect({ changes, needsRefetch }).toEqual({ changes: [], needsRefetch: true })
})

test("events of a customer's case fetch the customer's tickets again", () => {
  const rows = [
    ticketRow({ queue: 'loaned', caseId: 'K1' }),
    ticketRow({ feedbackId: 'F2', queue: 'loaned', caseId: 'K2' }),
  ]
  const stopped = {
    ...event(TICKET_SLA_DUE, 7, { feedbackId: 'x', queue: 'loaned', dueTime: '', missed: false }),
    type: CASE_STOP_CHANGED.type,
    data: { caseIds: ['K1'], caseState: 'held' },
  }
  expect([...apply({ ...view('queue', rows), queue: 'loaned' }, stopped).read]).toEqual(['F1'])
})

test('an older event does not change the open ticket', () => {
  const row = ticketRow({ ...ASHA, version: 6 })
  expect(applyToTicket(row, given(5, 'ben'))).toBe(row)
  expect(applyToTicket(row, given(7, 'ben'))).toMatchObject({ processorId: 'ben', version: 7 })
})

test('the person who has a ticket open is shown what others do with it', () => {
  expect(updateOf(given(3, 'ben'), 'asha')).toEqual({ kind: 'takenBy', name: 'Ben' })
  expect(updateOf(given(3, 'asha', { cause: 'handover' }), 'asha')).toEqual({
    kind: 'nowYours',
    name: 'Asha K',
  })
  expect(updateOf(given(3, null, { cause: 'expired', fromUserId: 'asha' }), 'asha')).toEqual({
    kind: 'leaseOver',
  })
  expect(
    updateOf(
      event(TICKET_REPLIED, 3, {
        feedbackId: 'F1',
        stepId: 'S1',
        internal: false,
        byCustomer: true,
      }),
      'asha',
    ),
  ).toEqual({ kind: 'customerWrote' })
  expect(
    updateOf(
      event(TICKET_REPLIED, 3, {
        feedbackId: 'F1',
        stepId: 'S1',
        internal: true,
        byCustomer: false,
      }),
      'asha',
    ),
  ).toBeNull()
})
