import { test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import { type RuleEvent, ruleLifecycle, type RuleState } from './rule-lifecycle.ts'

const samples = {
  ENABLE: { type: 'ENABLE', casesPass: true, isInForce: false },
  DISABLE: { type: 'DISABLE' },
  DELETE: { type: 'DELETE' },
} satisfies SampleEvents<RuleEvent>
const _ = null
const table = {
  ENABLE: { draft: 'enabled', enabled: 'enabled', disabled: 'enabled', deleted: _ },
  DISABLE: { draft: _, enabled: 'disabled', disabled: _, deleted: _ },
  DELETE: { draft: 'deleted', enabled: _, disabled: _, deleted: _ },
} satisfies LifecycleTable<RuleEvent['type'], RuleState>

testLifecycle<RuleState, RuleEvent, RuleEvent['type']>({
  lifecycle: ruleLifecycle,
  samples,
  table,
  closed: { disabled: ['ENABLE'], deleted: [] },
})

test('a version whose test cases fail, or that is in force already, cannot be enabled', () => {
  for (const state of ['draft', 'enabled', 'disabled'] as const) {
    expectRefused(ruleLifecycle, state, { ...samples.ENABLE, casesPass: false })
    expectRefused(ruleLifecycle, state, { ...samples.ENABLE, isInForce: true })
  }
})
