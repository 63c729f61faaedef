import { expect, test } from 'vitest'
import { boundsFault } from './stage-bounds.ts'

const seeded = [
  { stageId: 'M3', min: 61, max: null },
  { stageId: 'T0', min: 0, max: 0 },
  { stageId: 'T1', min: 1, max: 1 },
  { stageId: 'T2', min: 2, max: 3 },
  { stageId: 'S1', min: 4, max: 7 },
  { stageId: 'S2', min: 8, max: 10 },
  { stageId: 'M1', min: 11, max: 30 },
  { stageId: 'M2', min: 31, max: 60 },
]

test('the seeded stages cover every day once', () => {
  expect(boundsFault(seeded)).toBeNull()
})

test.each([
  ['a gap reports both neighbours', seeded.filter((stage) => stage.stageId !== 'S1'), ['T2', 'S2']],
  [
    'an overlap reports both neighbours',
    seeded.map((stage) => (stage.stageId === 'S1' ? { ...stage, max: 8 } : stage)),
    ['S1', 'S2'],
  ],
  [
    'the first stage begins with the due day',
    seeded.filter((stage) => stage.stageId !== 'T0'),
    ['T1'],
  ],
  [
    'the last stage has no end',
    seeded.map((stage) => (stage.stageId === 'M3' ? { ...stage, max: 90 } : stage)),
    ['M3'],
  ],
  [
    'only the last stage may be without an end',
    seeded.map((stage) => (stage.stageId === 'M1' ? { ...stage, max: null } : stage)),
    ['M1', 'M2'],
  ],
])('%s', (_title, stages, fault) => {
  expect(boundsFault(stages)).toEqual(fault)
})
