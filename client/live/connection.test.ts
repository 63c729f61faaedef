import { expect, test } from 'vitest'
import {
  type Connection,
  type ConnectionEvent,
  mayMutate,
  reduceConnection,
  startConnection,
  viewConnection,
} from './connection.ts'

const after = (...happenings: ConnectionEvent[]): Connection =>
  happenings.reduce(reduceConnection, startConnection(0, true))

test('a new page connects for three seconds without a warning', () => {
  expect(viewConnection(startConnection(0, true), 2_900)).toEqual({ kind: 'connecting' })
  expect(viewConnection(startConnection(0, true), 4_000)).toEqual({
    kind: 'reconnecting',
    seconds: 4,
  })
})

test('an open connection that delivers frames is live', () => {
  expect(
    viewConnection(after({ type: 'OPENED', at: 100 }, { type: 'RECEIVED', at: 9_000 }), 20_000),
  ).toEqual({ kind: 'live' })
})

test('the seconds of a reconnect count from the first loss, not from the last attempt', () => {
  const state = after(
    { type: 'OPENED', at: 0 },
    { type: 'LOST', at: 10_000 },
    { type: 'LOST', at: 14_000 },
  )
  expect(viewConnection(state, 16_500)).toEqual({ kind: 'reconnecting', seconds: 6 })
})

test('silence on an open connection turns amber after 15 s and blocks changes after 60 s', () => {
  const state = after({ type: 'OPENED', at: 0 }, { type: 'RECEIVED', at: 5_000 })
  expect(viewConnection(state, 20_000)).toEqual({ kind: 'live' })
  expect(viewConnection(state, 20_001)).toEqual({ kind: 'stale', seconds: 15, blocked: false })
  expect(viewConnection(state, 43_000)).toEqual({ kind: 'stale', seconds: 38, blocked: false })
  expect(viewConnection(state, 65_001)).toEqual({ kind: 'stale', seconds: 60, blocked: true })
})

test('changes are blocked while offline or after a minute of silence', () => {
  const open = after({ type: 'OPENED', at: 0 })
  expect(mayMutate(open, 60_000)).toBe(true)
  expect(mayMutate(open, 60_001)).toBe(false)
  expect(mayMutate(reduceConnection(open, { type: 'OFFLINE', at: 10 }), 20)).toBe(false)
  expect(mayMutate(after({ type: 'OPENED', at: 0 }, { type: 'LOST', at: 10 }), 30_000)).toBe(true)
})

test('going offline shows at once, and coming online is not live before the socket connects', () => {
  const gone = after(
    { type: 'OPENED', at: 0 },
    { type: 'OFFLINE', at: 1_000 },
    { type: 'LOST', at: 1_100 },
  )
  expect(viewConnection(gone, 1_200)).toEqual({ kind: 'offline' })
  expect(viewConnection(reduceConnection(gone, { type: 'ONLINE', at: 6_000 }), 6_000)).toEqual({
    kind: 'reconnecting',
    seconds: 5,
  })
})

test('a short offline period that the socket survived leaves no trace', () => {
  const state = after(
    { type: 'OPENED', at: 0 },
    { type: 'OFFLINE', at: 1_000 },
    { type: 'ONLINE', at: 2_000 },
  )
  expect(state.lostAt).toBeNull()
  expect(viewConnection(state, 2_500)).toEqual({ kind: 'live' })
})

test('a late message of a lost socket does not make the screen fresh', () => {
  const state = after(
    { type: 'OPENED', at: 0 },
    { type: 'LOST', at: 1_000 },
    { type: 'RECEIVED', at: 50_000 },
  )
  expect(mayMutate(state, 61_000)).toBe(false)
})

test('a reconnect resets the state to live', () => {
  const state = after(
    { type: 'OPENED', at: 0 },
    { type: 'LOST', at: 1_000 },
    { type: 'OPENED', at: 90_000 },
  )
  expect(viewConnection(state, 90_500)).toEqual({ kind: 'live' })
  expect(mayMutate(state, 90_500)).toBe(true)
})
