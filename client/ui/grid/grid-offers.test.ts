import type { GridApi } from 'ag-grid-community'
import { expect, test } from 'vitest'
import { gridActions, gridKeys } from './grid-offers.ts'

interface Row {
  id: string
}
const rows: Row[] = [{ id: 'A' }, { id: 'B' }]
const list = ({ focused = null, selected = [] }: { focused?: number | null; selected?: Row[] }) =>
  ({
    getFocusedCell: () =>
      focused === null ? null : { rowIndex: focused, column: { getColId: () => 'name' } },
    getDisplayedRowAtIndex: (at: number) => (rows[at] ? { data: rows[at] } : undefined),
    getSelectedNodes: () => selected.map((data) => ({ data })),
    getSelectedRows: () => selected,
    getRowNode: (id: string) => rows.flatMap((data) => (data.id === id ? [{ data }] : []))[0],
  }) as GridApi<Row>

const done: string[] = []
const offered = (api: GridApi<Row> | null, more: { openId?: string; pending?: number } = {}) =>
  gridActions<Row>({
    api,
    openId: more.openId ?? null,
    pending: more.pending ?? 0,
    text: (key) => key,
    nameOf: ({ id }) => `row ${id}`,
    apply: () => done.push('apply'),
    open: ({ id }) => done.push(`open ${id}`),
    copyCell: ({ id }, column) => done.push(`${column} of ${id}`),
    copyRows: (some) => done.push(some.map(({ id }) => id).join()),
    actionsOf: ({ id }) => [
      {
        id: 'end',
        text: 'End',
        disabledReason: id === 'B' ? 'ended already' : null,
        onClick: () => done.push(`end ${id}`),
      },
    ],
  })
const names = (actions: ReturnType<typeof offered>) =>
  actions.map(({ text, note }) => (note === undefined ? text : `${text}: ${note}`))

test('row actions are for the focused row, else the only selected one, else the one shown beside, else none', () => {
  expect(names(offered(list({ focused: 1, selected: [{ id: 'A' }] }), { openId: 'A' }))[0]).toBe(
    'End: row B',
  )
  expect(names(offered(list({ selected: [{ id: 'A' }] }), { openId: 'B' }))[0]).toBe('End: row A')
  expect(names(offered(list({}), { openId: 'B' }))[0]).toBe('End: row B')
  expect(names(offered(list({})))).toEqual(['keys.apply'])
  expect(names(offered(null))).toEqual(['keys.apply'])
})

test('a disabled action has its reason, an enabled one runs for that row', () => {
  expect(offered(list({ focused: 1 })).map(({ disabledReason }) => disabledReason)).toEqual([
    'ended already',
    undefined,
    undefined,
    undefined,
    'keys.nothingWaits',
  ])
  expect(offered(list({ focused: 1 }), { pending: 2 }).at(-1)?.disabledReason).toBeNull()
  for (const action of offered(list({ focused: 0, selected: rows }))) action.run()
  expect(done).toEqual(['end A', 'open A', 'name of A', 'A,B', 'apply'])
})

test('a list lists exactly the keys it handles', () => {
  const codes = (has: Partial<Parameters<typeof gridKeys>[0]>) =>
    gridKeys({ opens: false, selects: false, peeks: false, acts: false, ...has }).map(
      ({ code }) => code,
    )
  expect(codes({})).toEqual(['Period', 'Control+KeyC', 'Control+Shift+KeyC'])
  expect(codes({ opens: true, selects: true, acts: true })).toEqual(
    expect.arrayContaining([
      'Enter',
      'Control+Enter',
      'Space',
      'Shift+ArrowDown',
      'Shift+ArrowUp',
      'Shift+F10',
    ]),
  )
  expect(codes({ selects: true, peeks: true })).not.toContain('Space')
})
