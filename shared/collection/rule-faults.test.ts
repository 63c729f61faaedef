import { expect, test } from 'vitest'
import { type Rules, ruleFaults } from './rule-faults.ts'

const stage = {
  stageId: 'S1',
  mode: 'average' as const,
  keepCollector: true,
  recallAfterDays: 1,
  capacity: 100,
  ptpMaxDays: 7,
  firstContactHours: 10,
  dailyTarget: 0,
}
const right: Rules = {
  callFrom: '08:00',
  callTo: '19:00',
  maxContactsPerDay: 3,
  maxContactsPerWeek: 10,
  contactGapMinutes: 120,
  ptpMaxDays: 7,
  ptpMaxBroken: 2,
  stageRunTime: '00:05',
  allocationTimes: ['13:00', '07:30'],
  topUpMinutes: 30,
  topUpUntil: '18:00',
  perStage: [stage],
  caps: [],
}

test('the widest rules the law allows are accepted', () => {
  expect(ruleFaults(right)).toEqual({})
})

test.each<[string, Partial<Rules>, keyof Rules]>([
  ['a minute before the lawful hours', { callFrom: '07:59' }, 'callFrom'],
  ['a minute after them', { callTo: '19:01' }, 'callTo'],
  ['hours that end as they begin', { callFrom: '10:00', callTo: '10:00' }, 'callTo'],
  [
    'a day that opens at the first of the allocations, whatever their order',
    { stageRunTime: '07:30' },
    'stageRunTime',
  ],
  ['top-ups that end before they begin', { topUpUntil: '07:30' }, 'topUpUntil'],
  ['fewer contacts a week than a day', { maxContactsPerWeek: 2 }, 'maxContactsPerWeek'],
  [
    'a stage with a longer promise than the longest',
    { perStage: [stage, { ...stage, stageId: 'M1', ptpMaxDays: 8 }] },
    'perStage',
  ],
])('%s is refused at its field', (_name, change, field) => {
  expect(Object.keys(ruleFaults({ ...right, ...change }))).toEqual([field])
})

test('without scheduled allocations no opening time of the day is too late', () => {
  expect(
    ruleFaults({ ...right, allocationTimes: [], stageRunTime: '09:00', topUpUntil: '06:00' }),
  ).toEqual({})
})
