import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyWaiting,
  dropExpired,
  emptyLiveRows,
  LEAVING_MS,
  type LiveChange,
  type LiveRowsState,
  pendingOf,
  shownRows,
  takeChanges,
  takePage,
} from './live-rows.ts'

interface Row {
  id: string
  version: number
  due: number
  name: string
}
const shape = { idOf: (row: Row) => row.id, versionOf: (row: Row) => row.version }
const row = (id: string, over: Partial<Row> = {}): Row => ({
  id,
  version: 1,
  due: 100,
  name: id,
  ...over,
})
const page = (...ids: string[]) => ids.map((id) => row(id))
const requested = { held: false, byUser: true }
const start = (...ids: string[]) => takePage(emptyLiveRows<Row>(), page(...ids), shape, requested)
const patch = (id: string, version: number, changes: Record<string, unknown>): LiveChange => ({
  kind: 'patch',
  id,
  version,
  changes,
})
const after = (state: LiveRowsState<Row>, ...changes: LiveChange[]) =>
  takeChanges(state, changes, 0, ['due']).state

test('a newer event patches the row in place and an older one is ignored', () => {
  const state = after(start('a', 'b'), patch('a', 3, { due: 50 }), patch('a', 2, { due: 70 }))
  expect(shownRows(state)).toEqual([row('a', { due: 50 }), row('b')])
})

test('an older event still brings a field the newer one did not change', () => {
  const state = after(start('a'), patch('a', 3, { due: 50 }), patch('a', 2, { name: 'Asha' }))
  expect(shownRows(state)).toEqual([row('a', { due: 50, name: 'Asha' })])
})

test('a field of an event without a version stays until the row is read again', () => {
  const state = after(
    start('a'),
    patch('a', 3, { due: 50 }),
    { kind: 'patch', id: 'a', changes: { due: 40 } },
    { kind: 'patch', id: 'a', changes: { due: 30 } },
  )
  expect(shownRows(state)).toEqual([row('a', { due: 30 })])
})

test('a row read again at the shown version replaces it, an older one does not', () => {
  const again = after(start('a'), {
    kind: 'row',
    id: 'a',
    version: 1,
    row: row('a', { name: 'Asha' }),
  })
  expect(shownRows(again)).toEqual([row('a', { name: 'Asha' })])
  const newer = after(again, patch('a', 3, { due: 50 }), {
    kind: 'row',
    id: 'a',
    version: 2,
    row: row('a', { version: 2, due: 70, name: 'Ravi' }),
  })
  expect(shownRows(newer)).toEqual([row('a', { version: 2, due: 50, name: 'Ravi' })])
  expect(after(newer, { kind: 'row', id: 'a', version: 1, row: row('a') })).toEqual(newer)
  expect(after(newer, { kind: 'row', id: 'x', version: 1, row: row('x') })).toEqual(newer)
})

test('an event that overtakes the answer with its row is not lost', () => {
  const early = after(emptyLiveRows<Row>(), patch('a', 2, { due: 50 }))
  expect(shownRows(takePage(early, page('a'), shape, requested))[0]?.due).toBe(50)
})

test('a late answer does not revert a row', () => {
  const newer = takePage(start(), [row('a', { version: 5, due: 10 })], shape, requested)
  expect(shownRows(takePage(newer, page('a'), shape, requested))[0]?.due).toBe(10)
})

test('a page that arrives while the list is held waits and is counted', () => {
  const held = takePage(start('a', 'b', 'c'), page('n', 'b', 'a', 'c'), shape, {
    held: true,
    byUser: false,
  })
  expect(held.order).toEqual(['a', 'b', 'c'])
  expect(pendingOf(held)).toEqual({ added: 1, moved: 2 })
  expect(applyWaiting(held).order).toEqual(['n', 'b', 'a', 'c'])
})

test('the values of a page that arrives while the list is held are shown at once, only its order waits', () => {
  const held = takePage(start('a', 'b'), [row('b'), row('a', { version: 2, due: 1 })], shape, {
    held: true,
    byUser: false,
  })
  expect(shownRows(held).map((r) => [r.id, r.due])).toEqual([
    ['a', 1],
    ['b', 100],
  ])
})

test('new rows raise the count and are not inserted', () => {
  const state = after(
    start('a'),
    { kind: 'new', id: 'x' },
    { kind: 'new', id: 'x' },
    { kind: 'new', id: 'a' },
  )
  expect(state.order).toEqual(['a'])
  expect(pendingOf(state)).toEqual({ added: 1, moved: 0 })
})

test('a row whose sorted field changed counts as moved', () => {
  expect(
    pendingOf(after(start('a', 'b'), patch('a', 2, { due: 5 }), patch('b', 2, { name: 'x' }))),
  ).toEqual({ added: 0, moved: 1 })
})

test('a leaving row stays for ten seconds and is then removed', () => {
  const state = after(start('a', 'b'), { kind: 'leave', id: 'a', version: 2, reason: 'moved' })
  expect(state.leaving.get('a')?.reason).toBe('moved')
  expect(dropExpired(state, LEAVING_MS - 1, { held: false }).order).toEqual(['a', 'b'])
  expect(dropExpired(state, LEAVING_MS, { held: true }).order).toEqual(['a', 'b'])
  expect(dropExpired(state, LEAVING_MS, { held: false, openId: 'a' }).order).toEqual(['a', 'b'])
  expect(dropExpired(state, LEAVING_MS, { held: false }).order).toEqual(['b'])
})

test('a leaving row that the server lists again with a newer version is restored', () => {
  const state = after(start('a'), { kind: 'leave', id: 'a', version: 2, reason: 'moved' })
  expect(
    takePage(state, [row('a', { version: 1 })], shape, {
      held: false,
      byUser: false,
    }).leaving.has('a'),
  ).toBe(true)
  expect(
    takePage(state, [row('a', { version: 3 })], shape, {
      held: false,
      byUser: false,
    }).leaving.has('a'),
  ).toBe(false)
})

test('the open row is kept when a new page no longer contains it', () => {
  const state = takePage(start('a', 'b', 'c'), page('a', 'c'), shape, {
    held: false,
    byUser: false,
    openId: 'b',
  })
  expect(state.order).toEqual(['a', 'b', 'c'])
  expect(state.leaving.has('b')).toBe(true)
})

test('a page the user requested is shown at once even while the list is held', () => {
  expect(takePage(start('a', 'b'), page('c'), shape, { held: true, byUser: true }).order).toEqual([
    'c',
  ])
})

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const patches = fc
  .array(
    fc.record({
      kind: fc.constant('patch' as const),
      id: ids,
      version: fc.integer({ min: 1, max: 40 }),
      changes: fc.oneof(
        fc.record({ due: fc.nat() }),
        fc.record({ name: fc.string() }),
        fc.record({ due: fc.nat(), name: fc.string() }),
      ),
    }),
    { maxLength: 30 },
  )
  .map((list) => [...new Map(list.map((p) => [`${p.id}:${p.version}`, p])).values()])

test('any order of events gives the newest value of each field', () => {
  fc.assert(
    fc.property(
      patches.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      ),
      fc.boolean(),
      ([sorted, shuffled], split) => {
        const inOrder = after(
          start('a', 'b', 'c', 'd'),
          ...[...sorted].toSorted((x, y) => x.version - y.version),
        )
        const half = split ? Math.floor(shuffled.length / 2) : 0
        const other = after(
          after(start('a', 'b', 'c', 'd'), ...shuffled.slice(0, half)),
          ...shuffled.slice(half),
        )
        expect(shownRows(other)).toEqual(shownRows(inOrder))
      },
    ),
  )
})

test('a page between the events does not change the newest values', () => {
  fc.assert(
    fc.property(patches, fc.nat(30), (list, at) => {
      const whole = after(start('a', 'b', 'c', 'd'), ...list)
      const split = after(
        takePage(
          after(start('a', 'b', 'c', 'd'), ...list.slice(0, at)),
          page('a', 'b', 'c', 'd'),
          shape,
          { held: false, byUser: false },
        ),
        ...list.slice(at),
      )
      expect(shownRows(split)).toEqual(shownRows(whole))
    }),
  )
})

test('rows never move while the list is held', () => {
  const change = fc.oneof(
    patches.map((list) => (s: LiveRowsState<Row>) => after(s, ...list)),
    fc
      .shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f'])
      .map(
        (list) => (s: LiveRowsState<Row>) =>
          takePage(s, page(...list), shape, { held: true, byUser: false }),
      ),
    fc
      .record({ kind: fc.constant('leave' as const), id: ids, reason: fc.string() })
      .map((leave) => (s: LiveRowsState<Row>) => after(s, leave)),
    fc.nat(100_000).map((now) => (s: LiveRowsState<Row>) => dropExpired(s, now, { held: true })),
  )
  fc.assert(
    fc.property(fc.array(change), (steps) => {
      const state = steps.reduce((s, step) => step(s), start('a', 'b', 'c', 'd'))
      expect(state.order).toEqual(['a', 'b', 'c', 'd'])
      expect(shownRows(state)).toHaveLength(4)
    }),
  )
})
