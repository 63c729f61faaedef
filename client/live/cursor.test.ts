import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { createCursor } from './cursor.ts'

const event = (seq: number): LiveEvent => ({
  seq,
  id: `e${seq}`,
  type: 'order.updated',
  subject: 'order:1',
  time: '2026-11-20T00:00:00Z',
  actor: null,
  data: {},
})
const seqs = (events: readonly LiveEvent[]) => events.map((e) => e.seq)

test('an event delivered several times is passed on once', () => {
  const cursor = createCursor()
  expect(seqs(cursor.accept({ upTo: 3, events: [event(1), event(3)] }))).toEqual([1, 3])
  expect(seqs(cursor.accept({ upTo: 4, events: [event(3), event(4), event(4)] }))).toEqual([4])
})

test('a frame that arrives late still counts although the cursor is past it', () => {
  const cursor = createCursor()
  cursor.accept({ upTo: 10, events: [event(10)] })
  expect(seqs(cursor.accept({ upTo: 8, events: [event(8)] }))).toEqual([8])
  expect(cursor.upTo()).toBe(10)
})

test('events are passed on in the order of their seq', () => {
  expect(seqs(createCursor().accept({ upTo: 9, events: [event(9), event(2), event(5)] }))).toEqual([
    2, 5, 9,
  ])
})

test('the cursor follows the server, even without events', () => {
  const cursor = createCursor()
  expect(cursor.upTo()).toBeNull()
  cursor.accept({ upTo: 40, events: [] })
  expect(cursor.upTo()).toBe(40)
})

test('the first answer sets the start of the cursor, a later one does not', () => {
  const cursor = createCursor()
  cursor.startAt(7)
  cursor.startAt(9)
  expect(cursor.upTo()).toBe(7)
})

test("after a resync the server's number is taken, even when it is lower", () => {
  const cursor = createCursor()
  cursor.accept({ upTo: 900, events: [event(900)] })
  cursor.jump(12)
  expect(cursor.upTo()).toBe(12)
  expect(seqs(cursor.accept({ upTo: 13, events: [event(13)] }))).toEqual([13])
})

test('of twenty thousand events none is passed on twice', () => {
  const cursor = createCursor()
  let accepted = 0
  for (let seq = 1; seq <= 20_000; seq++)
    accepted += cursor.accept({
      upTo: seq,
      events: [event(seq), event(Math.max(1, seq - 3))],
    }).length
  expect(accepted).toBe(20_000)
  expect(cursor.accept({ upTo: 20_000, events: [event(2), event(19_999)] })).toEqual([])
})
