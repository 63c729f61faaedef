import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import {
  QUALITY_STATES,
  qualityLifecycle,
  type QualityEvent,
  type QualityEventType,
  type QualityState,
} from './quality-lifecycle.ts'

const samples = {
  SAMPLE_OPEN: { type: 'SAMPLE_OPEN', inspectorId: 'u9', reviewerId: 'u1' },
  QC_PASS: { type: 'QC_PASS', qualityCode: 'A101' },
  QC_FAIL: { type: 'QC_FAIL', qualityCode: 'B007', remark: '' },
  APPEAL_UPHELD: {
    type: 'APPEAL_UPHELD',
    appealState: 'open',
    hoursToAppeal: 48,
    appealHours: 48,
    deciderId: 'u3',
    inspectorId: 'u9',
  },
} satisfies SampleEvents<QualityEvent>

const _ = null
const table = {
  SAMPLE_OPEN: { notChecked: 'checked', checked: _, pass: _, fail: _ },
  QC_PASS: { notChecked: _, checked: 'pass', pass: _, fail: _ },
  QC_FAIL: { notChecked: _, checked: 'fail', pass: _, fail: _ },
  APPEAL_UPHELD: { notChecked: _, checked: _, pass: _, fail: 'pass' },
} satisfies LifecycleTable<QualityEventType, QualityState>

testLifecycle<QualityState, QualityEvent, QualityEventType>({
  lifecycle: qualityLifecycle,
  samples,
  table,
  closed: { pass: [] },
})

describe('guards refuse transitions', () => {
  const refusals: [fact: string, state: QualityState, event: QualityEvent][] = [
    [
      'an inspector checking an own review',
      'notChecked',
      { ...samples.SAMPLE_OPEN, inspectorId: 'u1' },
    ],
    ['a pass without a reason', 'checked', { ...samples.QC_PASS, qualityCode: '' }],
    ['a pass with the reason of a fail', 'checked', { ...samples.QC_PASS, qualityCode: 'A001' }],
    ['a fail without a reason', 'checked', { ...samples.QC_FAIL, qualityCode: '' }],
    ['a fail with the reason of a pass', 'checked', { ...samples.QC_FAIL, qualityCode: 'A101' }],
    [
      'a fail for other reasons without a remark',
      'checked',
      { ...samples.QC_FAIL, qualityCode: 'E001' },
    ],
    ['an appeal that was never lodged', 'fail', { ...samples.APPEAL_UPHELD, appealState: null }],
    [
      'a second decision on the appeal',
      'fail',
      { ...samples.APPEAL_UPHELD, appealState: 'dismissed' },
    ],
    ['an appeal after its time', 'fail', { ...samples.APPEAL_UPHELD, hoursToAppeal: 48.1 }],
    [
      'an inspector deciding the appeal against an own check',
      'fail',
      { ...samples.APPEAL_UPHELD, deciderId: 'u9' },
    ],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(qualityLifecycle, state, event))
})

test('a fail for other reasons is accepted with a remark', () => {
  expect(
    qualityLifecycle.next('checked', {
      ...samples.QC_FAIL,
      qualityCode: 'E001',
      remark: 'notes missing',
    }),
  ).toBe('fail')
})

test('the states have their fixed codes', () => {
  expect(qualityLifecycle.states.toSorted()).toEqual(QUALITY_STATES.toSorted())
})
