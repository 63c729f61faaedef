import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  filterInput,
  parseSort,
  readFilters,
  readView,
  writeFilters,
  writeView,
} from './grid-url.ts'

const kinds = {
  keyword: 'text',
  stage: 'many',
  app: 'one',
  mine: 'flag',
  due: 'money',
  dpd: 'int',
  dueDay: 'day',
} as const
const read = (text: string) => readFilters(new URLSearchParams(text), kinds)

test('filters read from the address are typed', () => {
  expect(
    read(
      'keyword=ravi&stage=M1&stage=M2&app=A&mine=true&dueFrom=100&dpdTo=30&dueDayFrom=2026-11-01&dueDayTo=2026-11-30',
    ),
  ).toEqual({
    keyword: 'ravi',
    stage: ['M1', 'M2'],
    app: 'A',
    mine: true,
    due: { from: 100 },
    dpd: { to: 30 },
    dueDay: { from: '2026-11-01', to: '2026-11-30' },
  })
})

test('invalid values are ignored', () => {
  expect(
    read('mine=1&dueFrom=abc&dpdTo=1.5&dueDayFrom=2026-13-45&dueDayTo=2026-02-30&stage='),
  ).toEqual({})
})

test('unknown keys stay in the address', () => {
  const next = writeFilters(new URLSearchParams('tab=plan&keyword=x&dueFrom=1'), kinds, {
    stage: ['M1'],
  })
  expect(next.toString()).toBe('tab=plan&stage=M1')
})

test('the list call gets flat parameters without empty ones', () => {
  expect(
    filterInput(kinds, {
      keyword: '',
      stage: [],
      due: { from: 5, to: 9 },
      dueDay: { to: '2026-11-30' },
    }),
  ).toEqual({ dueFrom: 5, dueTo: 9, dueDayTo: '2026-11-30' })
})

test('any filters are unchanged after a round trip through the address', () => {
  const day = fc
    .integer({ min: 0, max: 20_000 })
    .map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10))
  const text = fc.string({ minLength: 1 })
  const filters = fc.record(
    {
      keyword: text,
      stage: fc.array(text, { minLength: 1 }),
      app: text,
      mine: fc.constant(true as const),
      due: fc.record({ from: fc.integer(), to: fc.integer() }),
      dpd: fc.record({ to: fc.integer() }),
      dueDay: fc.record({ from: day, to: day }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(filters, (value) => {
      expect(
        readFilters(
          new URLSearchParams(writeFilters(new URLSearchParams(), kinds, value).toString()),
          kinds,
        ),
      ).toEqual(value)
    }),
  )
})

test('a private filter is asked for, and neither read from the address nor written to it', () => {
  const people = { name: 'text', phone: 'private' } as const
  const old = new URLSearchParams('name=Asha&phone=9876543210&page=2')
  expect(readFilters(old, people)).toEqual({ name: 'Asha' })
  const filters = { name: 'Asha', phone: '9876543210' }
  expect(writeFilters(old, people, filters).toString()).toBe('page=2&name=Asha')
  expect(filterInput(people, filters)).toEqual(filters)
})

test('page, size and sort default to the preset', () => {
  const preset = { sort: [{ field: 'dueDay', dir: 'asc' as const }], pageSize: 20 }
  expect(readView(new URLSearchParams('page=-1&size=33'), preset)).toEqual({
    page: 1,
    pageSize: 20,
    sort: preset.sort,
  })
  expect(readView(new URLSearchParams('page=3&size=100&sort=amount:desc,x:up'), preset)).toEqual({
    page: 3,
    pageSize: 100,
    sort: [{ field: 'amount', dir: 'desc' }],
  })
})

test('an address cannot name a page behind the last row a list shows', () => {
  expect(readView(new URLSearchParams('page=900000&size=100')).page).toBe(100)
})

test('a preset view is not written to the address and a cleared sort is', () => {
  const preset = { sort: [{ field: 'dueDay', dir: 'asc' as const }] }
  expect(
    writeView(
      new URLSearchParams('tab=x&page=2'),
      { page: 1, pageSize: 50, sort: preset.sort },
      preset,
    ).toString(),
  ).toBe('tab=x')
  const cleared = writeView(new URLSearchParams(), { page: 2, pageSize: 20, sort: [] }, preset)
  expect(readView(cleared, preset)).toEqual({ page: 2, pageSize: 20, sort: [] })
})

test('a sort has at most three parts', () => {
  expect(parseSort('a:asc,b:desc,c:asc,d:asc')).toHaveLength(3)
})
