import { expect, test } from 'vitest'
import {
  moneyColumn,
  statusColumn,
  textColumn,
  wordColumn,
  yesNoColumn,
  durationColumn,
} from './grid-columns.ts'
import { exportColumns, idField } from './grid-export.ts'

interface Row {
  id: string
  state: string
  n: number
  amount: number
}
const TEXTS: Record<string, string> = {
  'orders:state.open': 'Open',
  'orders:state.closed': 'Closed',
  'orders:col.state': 'State',
}
const tools = { t: (key: string) => TEXTS[key] ?? key, language: 'en' }
const setOf = (key: string) =>
  Object.keys(TEXTS).flatMap((one) =>
    one.startsWith(`${key}.`) ? [one.slice(key.length + 1)] : [],
  )

test('a closed set exports the texts of all its codes, also of those on no page', () => {
  const column = statusColumn<Row>({
    id: 'state',
    title: 'orders:col.state',
    word: (code, { t }) => t(`orders:state.${code}`),
    tone: () => 'good',
  })
  expect(exportColumns([column], tools, setOf)).toEqual([
    { field: ['state'], title: 'State', kind: 'text', words: { open: 'Open', closed: 'Closed' } },
  ])
})

test('the codes named by a column are those of the file', () => {
  const column = wordColumn<Row>({
    id: 'n',
    title: 'n',
    codes: [1, 2],
    word: (code) => `level ${code}`,
  })
  expect(exportColumns([column], tools, setOf)[0]?.words).toEqual({ 1: 'level 1', 2: 'level 2' })
})

test('the kind of a column decides its format in the file; a running clock is left out', () => {
  const columns = [
    moneyColumn<Row>({ id: 'amount', title: 'a' }),
    yesNoColumn<Row>({ id: 'n', title: 'n' }),
    textColumn<Row>({ id: 'who', title: 'w', exportFields: ['state', 'id'] }),
    durationColumn<Row>({ id: 'state', title: 's', limits: { warnMs: 1, badMs: 2 } }),
  ]
  expect(exportColumns(columns, tools, setOf)).toEqual([
    { field: ['amount'], title: 'a', kind: 'money' },
    { field: ['n'], title: 'n', kind: 'yesNo', words: { true: 'ui:yes', false: 'ui:no' } },
    { field: ['state', 'id'], title: 'w', kind: 'text' },
  ])
  expect(idField([{ name: 'x', id: '7' }], (row) => row.id)).toBe('id')
})
