/** The states of a scheduled task. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { TaskState } from './scheduling-sets.ts'

export type TaskEvent = { type: 'SWITCH_ON' } | { type: 'SWITCH_OFF' } | { type: 'RUN' }
export type TaskEventType = TaskEvent['type']

const machine = setup({
  types: { events: {} as TaskEvent, tags: {} as 'closed' },
}).createMachine({
  id: 'task',
  initial: 'enabled',
  states: {
    enabled: { on: { SWITCH_OFF: { target: 'disabled' }, RUN: { target: 'enabled' } } },
    // off is a stop: nothing runs it, by hand neither
    disabled: { tags: ['closed'], on: { SWITCH_ON: { target: 'enabled' } } },
  },
})

export const taskLifecycle: Lifecycle<TaskState, TaskEvent> = lifecycle<TaskState, typeof machine>(
  'task',
  machine,
)
