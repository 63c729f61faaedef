import { expect, test } from 'vitest'
import {
  DEFAULT_COLUMNS,
  moveColumn,
  parseColumns,
  pinColumn,
  placeColumns,
  toggleColumn,
} from './column-store.ts'

const presets = [
  { id: 'a', width: 100 },
  { id: 'b', width: 80, pin: 'left' as const },
  { id: 'c', width: 60, hidden: true },
]
const shown = (state = DEFAULT_COLUMNS, list = presets) =>
  placeColumns(list, state)
    .filter((c) => !c.hidden)
    .map((c) => c.id)

test('columns start as the screen lists them', () => {
  expect(shown()).toEqual(['a', 'b'])
  expect(placeColumns(presets, DEFAULT_COLUMNS)[1]).toEqual({
    id: 'b',
    hidden: false,
    pin: 'left',
    width: 80,
  })
})

test('a hidden column can be shown and the last one cannot be hidden', () => {
  const withC = toggleColumn(presets, DEFAULT_COLUMNS, 'c')
  expect(shown(withC)).toEqual(['a', 'b', 'c'])
  const onlyC = toggleColumn(presets, toggleColumn(presets, withC, 'a'), 'b')
  expect(shown(onlyC)).toEqual(['c'])
  expect(shown(toggleColumn(presets, onlyC, 'c'))).toEqual(['c'])
})

test('columns move by one step and stop at the ends', () => {
  expect(shown(moveColumn(presets, DEFAULT_COLUMNS, 'b', -1))).toEqual(['b', 'a'])
  expect(moveColumn(presets, DEFAULT_COLUMNS, 'a', -1)).toBe(DEFAULT_COLUMNS)
})

test('pinning cycles through left, right and off', () => {
  let state = DEFAULT_COLUMNS
  const pins: unknown[] = []
  for (let i = 0; i < 3; i++) {
    state = pinColumn(presets, state, 'a')
    pins.push(placeColumns(presets, state)[0]?.pin)
  }
  expect(pins).toEqual(['left', 'right', null])
})

test('a column added by a new release takes the position its screen gives it', () => {
  const state = moveColumn(presets, DEFAULT_COLUMNS, 'b', -1)
  expect(
    shown(state, [{ id: 'a', width: 100 }, { id: 'n', width: 50 }, ...presets.slice(1)]),
  ).toEqual(['b', 'a', 'n'])
})

test('malformed stored columns are dropped', () => {
  expect(
    parseColumns({
      order: ['a', 1],
      hidden: 'x',
      pinned: { a: 'up', b: 'left' },
      widths: { a: 'wide', b: 90 },
    }),
  ).toEqual({ order: ['a'], hidden: [], pinned: { b: 'left' }, widths: { b: 90 } })
  expect(parseColumns(null)).toEqual({ order: [], hidden: [], pinned: {}, widths: {} })
})
