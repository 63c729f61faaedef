/** The calling robot: who is called when, and its tasks. */
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { aiCallOptions, listAiConfigs, listAiTasks } from '#shared/ai-calls/ai-calls-api.ts'
import { AI_RESULTS, CONFIG_STATUSES } from '#shared/ai-calls/ai-call-sets.ts'
import { AI_RESULT, AI_TASK_CHANGED } from '#shared/ai-calls/ai-calls-live.ts'
import { AI_TASK_STATES } from '#shared/ai-calls/ai-task-lifecycle.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import {
  addAction,
  caseAction,
  createAction,
  editAction,
  openAction,
  statusActions,
  steerActions,
  steerRows,
} from './ai-actions.tsx'
import { CONFIG_COLUMNS, TASK_COLUMNS } from './ai-columns.ts'

const TEXTS = ['robot'] as const
const OPTIONS = reads(aiCallOptions, {})

const ConfigList = listBody({
  endpoint: listAiConfigs,
  rowId: 'configId',
  texts: TEXTS,
  label: 'tab.configs',
  columns: CONFIG_COLUMNS,
  filters: filtersOf({
    productId: {
      kind: 'one',
      label: 'col.product',
      place: 'bar',
      options: ({ read }) => named(read(aiCallOptions)?.products),
    },
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('status', CONFIG_STATUSES),
    },
    robotId: { kind: 'text', label: 'col.robotId' },
  }),
  sort: 'productName:asc',
  reads: [OPTIONS],
  refreshOn: [CONFIG_REFRESHED.type],
  create: addAction,
  actions: [editAction, ...statusActions],
  open: 'edit',
  empty: 'none',
})

const TaskList = listBody({
  endpoint: listAiTasks,
  rowId: 'taskId',
  texts: TEXTS,
  id: 'ai_call_tasks',
  label: 'tab.tasks',
  columns: TASK_COLUMNS,
  filters: filtersOf({
    orderId: { kind: 'text', label: 'col.orderId', place: 'quick' },
    state: {
      kind: 'one',
      label: 'col.state',
      place: 'bar',
      options: wordsOf('state', AI_TASK_STATES),
    },
    result: {
      kind: 'one',
      label: 'col.result',
      place: 'bar',
      options: wordsOf('result', AI_RESULTS),
    },
    configId: {
      kind: 'one',
      label: 'col.configId',
      options: ({ read }) =>
        (read(aiCallOptions)?.configs ?? []).map(
          ({ configId, productName, minOverdueDays, maxOverdueDays }) => ({
            value: configId,
            label: `${productName} ${minOverdueDays} – ${maxOverdueDays}`,
          }),
        ),
    },
    userId: { kind: 'text', label: 'col.userId' },
    taskId: { kind: 'text', label: 'col.taskId' },
    time: { kind: 'day', label: 'col.createTime' },
  }),
  sort: 'createTime:desc',
  reads: [OPTIONS],
  refreshOn: [AI_TASK_CHANGED.type, AI_RESULT.type],
  create: createAction,
  actions: [openAction, caseAction, ...steerRows],
  bulk: [...steerActions],
  open: 'open',
  empty: 'noTasks',
})

export const Screen = tabbedScreen({
  texts: TEXTS,
  menu: 'ai_call_config',
  title: 'tab',
  tabs: { configs: ConfigList, tasks: TaskList },
})
