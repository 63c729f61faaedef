import { expect, test } from 'vitest'
import { AGENT_CODES, ASHA, LEADER_CODES, ticketRow, viewer } from './testing/rows.ts'
import { actionsOf } from './ticket-rules.ts'
import type { TicketRow, Viewer } from './ticket-types.ts'

const asha = viewer('asha', AGENT_CODES)
const ben = viewer('ben', AGENT_CODES)
const lead = viewer('lead', LEADER_CODES)
const director = viewer('director', [])
const PENDING = {
  handoverState: 'pending',
  handoverId: 'H1',
  handoverById: 'asha',
  handoverFrom: 'Asha K',
  handoverToId: 'ben',
  handoverTo: 'Ben',
} as const

/** Action → why it is disabled, null = enabled. */
const now = (row: TicketRow, who: Viewer) =>
  Object.fromEntries(actionsOf(row, who).map(({ id, refusal }) => [id, refusal?.key ?? null]))

test('a ticket without processor can be claimed, and replied to only afterwards', () => {
  expect(now(ticketRow(), asha)).toEqual({
    claim: null,
    reply: 'unclaimed',
    resolve: 'unclaimed',
    transfer: 'unclaimed',
    superior: 'unclaimed',
  })
})

test('the processor can do everything; a colleague is shown whose ticket it is', () => {
  expect(now(ticketRow(ASHA), asha)).toEqual({
    reply: null,
    resolve: null,
    transfer: null,
    superior: null,
    release: null,
  })
  expect(now(ticketRow(ASHA), ben)).toEqual({
    reply: 'notYours',
    resolve: 'notYours',
    transfer: 'notYours',
    superior: 'notYours',
  })
})

test('a leader resolves, moves and releases tickets of others, but cannot reply for them', () => {
  expect(now(ticketRow(ASHA), lead)).toEqual({
    reply: 'notYours',
    resolve: null,
    transfer: null,
    superior: null,
    release: null,
  })
})

test('during a pending hand-over the processor can only cancel it; the receiver decides', () => {
  const row = ticketRow({ ...ASHA, ...PENDING })
  expect(now(row, asha)).toEqual({
    reply: 'pending',
    resolve: 'pending',
    transfer: 'pending',
    superior: 'pending',
    release: 'pending',
    withdraw: null,
  })
  expect(now(row, ben)).toMatchObject({ approve: null, reject: null, reply: 'notYours' })
  expect(now(row, viewer('carl', AGENT_CODES))).not.toHaveProperty('approve')
  expect(now(row, lead)).toMatchObject({ approve: null, reject: null, transfer: 'pending' })
})

test('a hand-over to a department can be accepted by each of its people', () => {
  const row = ticketRow({
    ...ASHA,
    ...PENDING,
    queue: 'loaned',
    handoverToId: null,
    handoverToDepartment: 'D7',
  })
  expect(now(row, viewer('dora', AGENT_CODES, 'loaned_ticket', 'D7'))).toHaveProperty(
    'approve',
    null,
  )
  expect(now(row, viewer('emil', AGENT_CODES, 'loaned_ticket', 'D8'))).not.toHaveProperty('approve')
})

test('a requester cannot decide their own hand-over', () => {
  expect(now(ticketRow({ ...ASHA, ...PENDING, handoverById: 'lead' }), lead)).not.toHaveProperty(
    'approve',
  )
})

test('a resolved ticket can only be reopened, by a leader', () => {
  const row = ticketRow({ ...ASHA, progress: 'finished' })
  expect(now(row, asha)).toEqual({})
  expect(now(row, lead)).toEqual({ reopen: null })
})

test('a ticket at the highest level cannot be escalated', () => {
  expect(now(ticketRow({ ...ASHA, level: 3 }), asha)).toMatchObject({ superior: 'top' })
})

test('without codes there are no actions', () => {
  for (const row of [ticketRow(), ticketRow(ASHA), ticketRow({ ...ASHA, progress: 'finished' })])
    expect(now(row, director)).toEqual({})
})

test('codes of a queue apply to that queue only, those of intake to both', () => {
  expect(now(ticketRow({ queue: 'loaned' }), asha)).toEqual({})
  expect(
    now(ticketRow({ queue: 'loaned' }), viewer('asha', AGENT_CODES, 'user_feedback')),
  ).toHaveProperty('claim', null)
})

test('collection can be stopped from a post-loan ticket with an open case that is not on hold', () => {
  const who = viewer('asha', [...AGENT_CODES, 'stop_collection:add'], 'loaned_ticket')
  expect(now(ticketRow({ queue: 'loaned', caseId: 'K1' }), who)).toHaveProperty('stop', null)
  expect(now(ticketRow({ queue: 'loaned', caseId: 'K1', held: true }), who)).not.toHaveProperty(
    'stop',
  )
  expect(now(ticketRow({ queue: 'loaned' }), who)).not.toHaveProperty('stop')
})
