import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { applyTeleEvents, type TeleView } from './tele-apply.ts'
import type { TeleRow } from './tele-types.ts'

const row = { taskId: 'TM1', segment: 'no_certified', state: 'assigned', version: 3 } as TeleRow
const rows = new Map([['TM1', row]])
const all: TeleView = { segment: 'no_certified', lane: 'open', ownOf: null }
const own: TeleView = { ...all, ownOf: 'U1' }

const event = (version: number, data: object, type = 'tele.task.assigned') =>
  ({
    id: String(version),
    subject: 'tele:TM1',
    time: '2026-11-25T05:30:00.000Z',
    actor: null,
    type,
    version,
    seq: version,
    data: { taskId: 'TM1', segment: 'no_certified', ...data },
  }) as LiveEvent
const apply = (view: TeleView, ...events: LiveEvent[]) =>
  applyTeleEvents(rows, events, view, (key) => key)

test('a converted customer leaves the list as converted', () => {
  const { changes, read } = apply(all, event(4, { state: 'converted', toUserId: 'U1' }))
  expect(changes).toEqual([
    {
      kind: 'patch',
      id: 'TM1',
      version: 4,
      changes: { state: 'converted', converted: true, version: 4 },
    },
    { kind: 'leave', id: 'TM1', version: 4, reason: 'converted' },
  ])
  expect(read.size).toBe(0)
})

test('a follow-up is fetched, also when an earlier event arrived with it', () => {
  const { changes, read } = apply(
    all,
    event(4, { state: 'claimed', toUserId: 'U2' }),
    event(5, { state: 'assigned', userId: 'U2' }, 'tele.followed'),
  )
  expect(changes).toEqual([])
  expect([...read.keys()]).toEqual(['TM1'])
})

test('a user who sees only their own customers loses one that returned to the pool', () => {
  const { changes } = apply(own, event(4, { state: 'waiting', toUserId: null }))
  expect(changes).toEqual([{ kind: 'leave', id: 'TM1', version: 4, reason: 'returned' }])
})

test('an older event and another segment change nothing', () => {
  const old = apply(all, event(3, { state: 'expired', toUserId: null }))
  const other = apply(all, event(9, { segment: 'loan_failed', state: 'expired' }))
  expect([old, other].map(({ changes, needsRefetch }) => [changes.length, needsRefetch])).toEqual([
    [0, false],
    [0, false],
  ])
})

test('a task that is not in the list is requested by users who may see it', () => {
  const asks = (view: TeleView, data: object) =>
    apply(view, event(2, { taskId: 'TM2', ...data })).needsRefetch
  expect(asks(all, { state: 'waiting', toUserId: null })).toBe(true)
  expect(asks(own, { state: 'waiting', toUserId: null })).toBe(false)
  expect(asks(own, { state: 'claimed', toUserId: 'U1' })).toBe(true)
})
