/** Work the system does by the clock, and its runs. */
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { listTaskRecords, listTasks } from '#shared/scheduling/scheduling-api.ts'
import { TASK_RUN_CHANGED } from '#shared/scheduling/scheduling-live.ts'
import { RUN_RESULTS, TASK_ALERTS, TASK_STATES } from '#shared/scheduling/scheduling-sets.ts'
import {
  editAction,
  runAction,
  runsAction,
  switchOffAction,
  switchOnAction,
} from './task-actions.tsx'
import { RECORD_COLUMNS, TASK_COLUMNS } from './task-columns.ts'
import { taskLabel } from './task-words.ts'

/** Runs that leave no record are seen by this time. */
const EVERY_MS = 30_000
const ALL_TASKS = reads(listTasks, { pageSize: 200 })
const tasksBy = (id: 'class' | 'taskId') => (context: ListContext) =>
  named(
    context
      .read(listTasks)
      ?.rows.map((task) => ({ id: task[id], name: taskLabel(task.class) }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  )

const TaskList = listBody({
  endpoint: listTasks,
  rowId: 'taskId',
  texts: ['scheduling'],
  label: 'tab.tasks',
  columns: TASK_COLUMNS,
  filters: filtersOf({
    class: { kind: 'one', label: 'col.name', place: 'bar', options: tasksBy('class') },
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('state', TASK_STATES),
    },
    alert: {
      kind: 'one',
      label: 'col.alert',
      place: 'bar',
      options: wordsOf('state', TASK_ALERTS),
    },
  }),
  sort: 'status:asc',
  reads: [ALL_TASKS],
  refreshOn: [TASK_RUN_CHANGED.type],
  everyMs: EVERY_MS,
  actions: [runsAction, runAction, editAction, switchOnAction, switchOffAction],
  open: 'runs',
  empty: 'none',
})

const RunList = listBody({
  endpoint: listTaskRecords,
  rowId: 'recordId',
  texts: ['scheduling'],
  id: 'timed_task_runs',
  label: 'tab.runs',
  columns: RECORD_COLUMNS,
  filters: filtersOf({
    taskId: { kind: 'one', label: 'col.name', place: 'bar', options: tasksBy('taskId') },
    result: {
      kind: 'one',
      label: 'col.result',
      place: 'bar',
      options: wordsOf('result', RUN_RESULTS),
    },
    time: { kind: 'day', label: 'col.startTime' },
  }),
  sort: 'startTime:desc',
  reads: [ALL_TASKS],
  refreshOn: [TASK_RUN_CHANGED.type],
  empty: 'noRuns',
  emptyHint: ({ t }) => t('runsKept'),
})

export const Screen = tabbedScreen({
  texts: ['scheduling'],
  menu: 'timed_task',
  title: 'tab',
  tabs: { tasks: TaskList, runs: RunList },
})
