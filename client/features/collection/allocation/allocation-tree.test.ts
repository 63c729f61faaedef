import { expect, test } from 'vitest'
import { type Desk, type Line, shownRows, treeOf } from './allocation-tree.ts'

const agency = (agencyId: string, status = 'enabled') =>
  ({
    agencyId,
    name: agencyId,
    weight: 50,
    status,
    inHouse: true,
    cases: 0,
    version: 1,
  }) as Desk['agencies'][number]
const line = (collectorId: string, groupId: string, gets: number): Line => ({
  agencyId: 'A1',
  agencyName: 'A1',
  departmentId: 'D1',
  departmentName: 'North',
  groupId,
  groupName: groupId,
  collectorId,
  collectorName: collectorId,
  weight: 10,
  capacity: 100,
  onDuty: gets > 0,
  stageIds: ['S1'],
  now: 5,
  nowAmount: 100,
  gets,
  after: 5 + gets,
  amountAfter: 100 + gets,
  flags: gets > 0 ? [] : ['offDuty'],
})

test('units carry the sums of their people, and an agency without people is shown', () => {
  const rows = treeOf(
    [agency('A1'), agency('A2', 'locked')],
    [line('U1', 'G1', 3), line('U2', 'G1', 0), line('U3', 'G2', 2)],
    [],
  )
  expect(rows.map((row) => [row.name, row.level, row.gets, row.onDuty, row.people])).toEqual([
    ['A1', 1, 5, 2, 3],
    ['North', 2, 5, 2, 3],
    ['G1', 3, 3, 1, 2],
    ['U1', 4, 3, 1, 1],
    ['U2', 4, 0, 0, 1],
    ['G2', 3, 2, 1, 1],
    ['U3', 4, 2, 1, 1],
    ['A2', 1, 0, 0, 0],
  ])
  expect(rows.at(-1)?.flags).toEqual(['locked'])
})

test("a unit shows today's work of its people and the last contact of any of them", () => {
  const work = (
    collectorId: string,
    contacted: number,
    kept: number,
    judged: number,
    lastTime: string | null,
  ) => ({ collectorId, contacted, kept, judged, lastTime })
  const rows = treeOf(
    [agency('A1')],
    [line('U1', 'G1', 3), line('U2', 'G1', 0), line('U3', 'G2', 2)],
    [
      work('U1', 2, 1, 3, '2026-11-21T06:00:00.000Z'),
      work('U2', 1, 0, 0, null),
      work('U3', 4, 2, 2, '2026-11-21T05:00:00.000Z'),
    ],
  )
  const of = (name: string) => rows.find((row) => row.name === name)
  expect(of('A1')).toMatchObject({
    contacted: 7,
    kept: 3,
    judged: 5,
    lastTime: '2026-11-21T06:00:00.000Z',
  })
  expect(of('G2')).toMatchObject({
    contacted: 4,
    kept: 2,
    judged: 2,
    lastTime: '2026-11-21T05:00:00.000Z',
  })
  expect(of('U2')).toMatchObject({ contacted: 1, kept: 0, judged: 0, lastTime: null })
})

test('rows below a closed unit are hidden', () => {
  const rows = treeOf([agency('A1')], [line('U1', 'G1', 3), line('U3', 'G2', 2)], [])
  expect(shownRows(rows, new Set(['A1/D1/G1'])).map((row) => row.name)).toEqual([
    'A1',
    'North',
    'G1',
    'G2',
    'U3',
  ])
  expect(shownRows(rows, new Set(['A1'])).map((row) => row.name)).toEqual(['A1'])
})
