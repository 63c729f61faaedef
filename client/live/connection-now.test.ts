import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startConnection } from './connection.ts'
import { blockedBy, connectionView, subscribeConnection } from './connection-now.ts'
import { connectionStore } from './socket.ts'

const START = Date.parse('2026-11-21T05:30:00Z')
let end: () => void
let drawn: number

/** Subscribes as React does: counts a render when the answer differs from the previous one. */
beforeEach(() => {
  vi.useFakeTimers({ now: START })
  connectionStore.set({ ...startConnection(START, true), socket: 'open' })
  drawn = 0
  let before = [connectionView(), blockedBy()]
  end = subscribeConnection(() => {
    const now = [connectionView(), blockedBy()]
    if (now.some((answer, i) => !Object.is(answer, before[i]))) drawn += 1
    before = now
  })
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

const receive = () => connectionStore.set((state) => ({ ...state, receivedAt: Date.now() }))

test('a thousand frames and a minute on a healthy connection cause no render', () => {
  for (let n = 0; n < 1_000; n += 1) {
    vi.advanceTimersByTime(60)
    receive()
  }
  expect([connectionView(), blockedBy(), drawn]).toEqual([{ kind: 'live' }, null, 0])
})

test('silence renders every second, a change of what is allowed only once', () => {
  vi.advanceTimersByTime(15_000)
  expect(drawn).toBe(0)
  vi.advanceTimersByTime(5_000)
  expect([connectionView(), blockedBy()]).toEqual([
    { kind: 'stale', seconds: 20, blocked: false },
    null,
  ])
  expect(drawn).toBe(5)
  vi.advanceTimersByTime(41_000)
  expect(blockedBy()).toBe('stale')
  receive()
  expect([connectionView(), blockedBy()]).toEqual([{ kind: 'live' }, null])
})

test('an offline browser is reported at once', () => {
  connectionStore.set((state) => ({ ...state, online: false }))
  expect([connectionView(), blockedBy(), drawn]).toEqual([{ kind: 'offline' }, 'offline', 1])
})
