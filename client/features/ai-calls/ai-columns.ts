/** Columns of the robot's configurations and of its tasks. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatClock } from '#client/ui/value/ist-format.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { AiResult } from '#shared/ai-calls/ai-call-sets.ts'
import type { AiTaskState } from '#shared/ai-calls/ai-task-lifecycle.ts'
import type { AiConfig, AiTask } from './ai-types.ts'
import { casePath } from '#shared/collection/case-path.ts'
import { orderPath } from '#shared/orders/order-path.ts'

const title = (name: string) => `robot:col.${name}`

/** A task is calling for a whole round; between two calls of it nobody is on the line. */
export function shownState({
  state,
  dueTime,
}: Pick<AiTask, 'state' | 'dueTime'>): AiTaskState | 'redial' {
  return state === 'calling' && dueTime !== null ? 'redial' : state
}

export const STATE_TONES = {
  created: 'neutral',
  pending: 'info',
  calling: 'good',
  redial: 'info',
  paused: 'warn',
  finished: 'neutral',
  cancelled: 'neutral',
} satisfies Record<ReturnType<typeof shownState>, Tone>

export const RESULT_TONES = {
  a: 'good',
  b: 'bad',
  c: 'info',
  d: 'bad',
  e: 'warn',
  f: 'neutral',
  g: 'neutral',
  h: 'warn',
} satisfies Record<AiResult, Tone>

export const CONFIG_COLUMNS: readonly GridColumn<AiConfig>[] = [
  textColumn<AiConfig>({ id: 'configId', title: title('configId'), width: 125, pin: 'left' }),
  textColumn<AiConfig>({
    id: 'productName',
    title: title('product'),
    width: 170,
    sort: 'productName',
  }),
  textColumn<AiConfig>({
    id: 'minOverdueDays',
    title: title('days'),
    width: 130,
    sort: 'minOverdueDays',
    value: ({ minOverdueDays, maxOverdueDays }) => `${minOverdueDays} – ${maxOverdueDays}`,
  }),
  textColumn<AiConfig>({
    id: 'hours',
    title: title('hours'),
    width: 130,
    value: ({ startTime, endTime }) => `${startTime} – ${endTime}`,
  }),
  textColumn<AiConfig>({
    id: 'robotName',
    title: title('robot'),
    width: 200,
    sort: 'robotName',
    value: ({ robotName, robotId }) => `${robotName} (${robotId})`,
  }),
  textColumn<AiConfig>({
    id: 'rounds',
    title: title('rounds'),
    width: 170,
    text: ({ repeatFrequency: n, repeatIntervalMin: minutes }, { t }) =>
      t('robot:everyMinutes', { n, minutes }),
    tip: ({ repeatFrequency: n, repeatIntervalMin: minutes }, { t }) =>
      t('robot:everyMinutes', { n, minutes }),
  }),
  textColumn<AiConfig>({
    id: 'redials',
    title: title('redials'),
    width: 170,
    text: ({ redialMax: n, redialIntervalMin: minutes }, { t }) =>
      n === 0 ? t('robot:noRedial') : t('robot:everyMinutes', { n, minutes }),
    tip: ({ redialMax: n, redialIntervalMin: minutes }, { t }) =>
      n === 0 ? t('robot:noRedial') : t('robot:everyMinutes', { n, minutes }),
  }),
  statusColumn<AiConfig>({
    id: 'status',
    title: title('status'),
    width: 110,
    sort: 'status',
    word: (status, { t }) => t(`robot:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  integerColumn<AiConfig>({ id: 'openTasks', title: title('openTasks'), width: 115 }),
  textColumn<AiConfig>({
    id: 'ignoreLabels',
    title: title('ignoreLabels'),
    width: 220,
    text: ({ ignoreLabels }, { t }) =>
      ignoreLabels.map((label) => t(`robot:result.${label}`)).join(', ') || '—',
    tip: ({ ignoreLabels }, { t }) =>
      ignoreLabels.map((label) => t(`robot:result.${label}`)).join(', '),
  }),
  textColumn<AiConfig>({ id: 'updateBy', title: title('updateBy'), width: 140 }),
  timeColumn<AiConfig>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 165,
    sort: 'updateTime',
  }),
]

/** Before the due day there is no case. */
export function casePathOf({ caseId }: AiTask): string {
  return caseId === null ? '' : casePath(caseId, 'ai_call_config')
}

export const TASK_COLUMNS: readonly GridColumn<AiTask>[] = [
  idColumn<AiTask>({ id: 'taskId', title: title('taskId'), width: 110, pin: 'left' }),
  statusColumn<AiTask>({
    id: 'state',
    title: title('state'),
    width: 120,
    value: shownState,
    word: (state, { t }) => t(`robot:state.${state}`),
    tone: (state) => STATE_TONES[state as keyof typeof STATE_TONES],
  }),
  statusColumn<AiTask>({
    id: 'result',
    title: title('result'),
    width: 180,
    word: (result, { t }) => t(`robot:result.${result}`),
    tone: (result) => RESULT_TONES[result as AiResult],
  }),
  integerColumn<AiTask>({ id: 'attempt', title: title('attempt'), width: 80 }),
  idColumn<AiTask>({
    id: 'orderId',
    title: title('orderId'),
    width: 130,
    href: ({ orderId }) => orderPath(orderId, 'order_list'),
  }),
  idColumn<AiTask>({
    id: 'caseId',
    title: title('caseId'),
    width: 120,
    href: casePathOf,
  }),
  textColumn<AiTask>({ id: 'userName', title: title('customer'), width: 160 }),
  integerColumn<AiTask>({ id: 'overdueDays', title: title('overdueDays'), width: 120 }),
  timeColumn<AiTask>({ id: 'dueTime', title: title('dueTime'), width: 165 }),
  timeColumn<AiTask>({ id: 'startTime', title: title('startTime'), width: 165 }),
  textColumn<AiTask>({
    id: 'durationSec',
    title: title('duration'),
    width: 95,
    align: 'right',
    text: ({ durationSec }) => (durationSec === null ? '—' : formatClock(durationSec * 1_000)),
  }),
  textColumn<AiTask>({
    id: 'cause',
    title: title('cause'),
    width: 190,
    text: ({ cause }, { t }) => (cause === null ? '—' : t(`robot:cause.${cause}`)),
    tip: ({ cause }, { t }) => (cause === null ? '' : t(`robot:cause.${cause}`)),
  }),
  textColumn<AiTask>({ id: 'robotName', title: title('robot'), width: 150 }),
  timeColumn<AiTask>({
    id: 'createTime',
    title: title('createTime'),
    width: 165,
    sort: 'createTime',
  }),
]
