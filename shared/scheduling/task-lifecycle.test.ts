import {
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import type { TaskState } from './scheduling-sets.ts'
import { type TaskEvent, type TaskEventType, taskLifecycle } from './task-lifecycle.ts'

const samples = {
  SWITCH_ON: { type: 'SWITCH_ON' },
  SWITCH_OFF: { type: 'SWITCH_OFF' },
  RUN: { type: 'RUN' },
} satisfies SampleEvents<TaskEvent>
const _ = null
const table = {
  SWITCH_ON: { enabled: _, disabled: 'enabled' },
  SWITCH_OFF: { enabled: 'disabled', disabled: _ },
  RUN: { enabled: 'enabled', disabled: _ },
} satisfies LifecycleTable<TaskEventType, TaskState>

testLifecycle<TaskState, TaskEvent, TaskEventType>({
  lifecycle: taskLifecycle,
  samples,
  table,
  closed: { disabled: ['SWITCH_ON'] },
})
