/** Columns of the scheduled tasks and of their runs. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { Task, TaskRecord } from './task-types.ts'
import { cycleText, durationText, outcomeText, runsText, taskLabel } from './task-words.ts'

const title = (name: string) => `scheduling:col.${name}`

/** What matters most of a task now. */
export function stateOf({ status, alert, isRunning }: Task): string {
  if (status === 'disabled') return 'disabled'
  return alert ?? (isRunning ? 'running' : 'enabled')
}
const TONES = {
  enabled: 'good',
  running: 'info',
  late: 'warn',
  failing: 'bad',
  disabled: 'neutral',
} as const

export const TASK_COLUMNS: readonly GridColumn<Task>[] = [
  textColumn<Task>({
    id: 'class',
    title: title('name'),
    width: 220,
    pin: 'left',
    text: (row) => taskLabel(row.class),
    tip: (row) => row.class,
  }),
  statusColumn<Task>({
    id: 'status',
    title: title('status'),
    width: 150,
    sort: 'status',
    value: stateOf,
    word: (state, { t }) => t(`scheduling:state.${state}`),
    // stateOf gives these only
    tone: (state) => TONES[state as keyof typeof TONES],
  }),
  textColumn<Task>({
    id: 'cycle',
    title: title('cycle'),
    width: 195,
    text: (row, { t }) => cycleText(row.cycle, t),
    tip: (row) => row.cycle,
  }),
  timeColumn<Task>({ id: 'lastRunTime', title: title('lastRunTime'), sort: 'lastRunTime' }),
  textColumn<Task>({
    id: 'lastDurationMs',
    title: title('duration'),
    width: 130,
    align: 'right',
    sort: 'lastDurationMs',
    upIsWorse: true,
    text: (row, { t }) => durationText(row.lastDurationMs, t),
  }),
  textColumn<Task>({
    id: 'nextRuns',
    title: title('nextRuns'),
    width: 300,
    sort: 'nextRuns',
    value: (row) => row.nextRuns.join(' '),
    text: ({ nextRuns }, { language }) => runsText(nextRuns, language),
    tip: ({ nextRuns }, { language }) =>
      nextRuns.map((at) => formatIst(at, 'dayTime', language)).join('\n'),
  }),
  integerColumn<Task>({
    id: 'successCount',
    title: title('successCount'),
    width: 110,
    sort: 'successCount',
  }),
  integerColumn<Task>({
    id: 'failCount',
    title: title('failCount'),
    width: 90,
    sort: 'failCount',
    upIsWorse: true,
    className: ({ failsInRow }) => (failsInRow > 0 ? 'cell-warn' : ''),
  }),
  textColumn<Task>({
    id: 'lastMessage',
    title: title('message'),
    width: 320,
    text: ({ lastCounts, lastMessage }, { t }) => outcomeText(lastCounts, lastMessage, t),
  }),
]

export const RECORD_COLUMNS: readonly GridColumn<TaskRecord>[] = [
  textColumn<TaskRecord>({ id: 'recordId', title: title('recordId'), width: 110, pin: 'left' }),
  textColumn<TaskRecord>({
    id: 'class',
    title: title('name'),
    width: 220,
    text: (row) => taskLabel(row.class),
    tip: (row) => row.class,
  }),
  timeColumn<TaskRecord>({ id: 'startTime', title: title('startTime'), sort: 'startTime' }),
  textColumn<TaskRecord>({
    id: 'durationMs',
    title: title('duration'),
    width: 130,
    align: 'right',
    sort: 'durationMs',
    text: (row, { t }) => durationText(row.durationMs, t),
  }),
  statusColumn<TaskRecord>({
    id: 'result',
    title: title('result'),
    width: 120,
    word: (result, { t }) => t(`scheduling:result.${result}`),
    tone: (result) => (result === 'success' ? 'good' : 'bad'),
  }),
  textColumn<TaskRecord>({
    id: 'message',
    title: title('message'),
    width: 460,
    text: ({ counts, message }, { t }) => outcomeText(counts, message, t),
  }),
  textColumn<TaskRecord>({
    id: 'askedBy',
    title: title('askedBy'),
    width: 170,
    text: (row, { t }) => row.askedBy ?? t('scheduling:byClock'),
  }),
]
