import { expect, test } from 'vitest'
import { createLiveStore } from './live-store.ts'

interface Row {
  id: string
  version: number
  due: number
}
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id, version: 1, due: 1 }))

function watched() {
  let clock = 0
  const store = createLiveStore<Row>(
    { idOf: (r) => r.id, versionOf: (r) => r.version },
    () => clock,
  )
  const renders: number[] = []
  const patched: string[][] = []
  store.subscribe(() => renders.push(store.view().order.length))
  store.onPatched((list) => patched.push(list.map((r) => r.id)))
  return {
    store,
    renders,
    patched,
    pass: (ms: number) => {
      clock += ms
    },
  }
}

test('a patch reaches the grid without a render', () => {
  const { store, renders, patched } = watched()
  store.take(rows('a', 'b'), true)
  store.push([{ kind: 'patch', id: 'a', version: 2, changes: { due: 9 } }])
  expect(renders).toEqual([2])
  expect(patched).toEqual([['a']])
  expect(store.row('a')?.due).toBe(9)
})

test('rows do not move under the pointer and are reordered when it leaves', () => {
  const { store } = watched()
  store.take(rows('a', 'b'), true)
  store.hold('pointer', true)
  store.take(rows('n', 'b', 'a'), false)
  expect(store.view().order).toEqual(['a', 'b'])
  expect(store.view().pending).toEqual({ added: 1, moved: 2 })
  store.hold('pointer', false)
  expect(store.view().order).toEqual(['n', 'b', 'a'])
  expect(store.view().pending).toEqual({ added: 0, moved: 0 })
})

test('a waiting order can be applied while the pointer is still over the list', () => {
  const { store } = watched()
  store.take(rows('a', 'b'), true)
  store.hold('pointer', true)
  store.take(rows('n', 'a', 'b'), false)
  expect(store.apply()).toBe(false)
  expect(store.view().order).toEqual(['n', 'a', 'b'])
})

test('announced rows are read from the server', () => {
  const { store } = watched()
  store.take(rows('a'), true)
  store.push([{ kind: 'new', id: 'x' }])
  expect(store.view().pending).toEqual({ added: 1, moved: 0 })
  expect(store.apply()).toBe(true)
})

test('a leaving row is removed after ten seconds unless it is open or the list is held', () => {
  const { store, pass } = watched()
  store.take(rows('a', 'b'), true)
  store.setOpen('a')
  store.push([{ kind: 'leave', id: 'a', reason: 'moved' }])
  pass(10_000)
  store.sweep()
  expect(store.view().order).toEqual(['a', 'b'])
  store.setOpen(null)
  store.hold('focus', true)
  store.sweep()
  expect(store.view().order).toEqual(['a', 'b'])
  store.hold('focus', false)
  expect(store.view().order).toEqual(['b'])
})
