/** What can be done with scheduled tasks. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import { editTask, runTask, setTaskStatus } from '#shared/scheduling/scheduling-api.ts'
import { WATCH_CLASS } from '#shared/scheduling/scheduling-sets.ts'
import { taskLifecycle } from '#shared/scheduling/task-lifecycle.ts'
import type { Task } from './task-types.ts'
import { taskLabel } from './task-words.ts'

const CycleForm = lazyPart(() => import('./CycleForm.tsx').then((m) => ({ default: m.CycleForm })))

export const runsAction = linkAction<Task>({
  id: 'runs',
  text: 'runs',
  icon: 'history',
  path: ({ taskId }) => `/system/timed_task?tab=runs&taskId=${encodeURIComponent(taskId)}`,
})

export const runAction = callAction(runTask, {
  id: 'run',
  text: 'run',
  icon: 'play',
  intent: 'primary',
  disabledReason: ({ status, isRunning }: Task, { t }) =>
    taskLifecycle.can(status, { type: 'RUN' }) ? (isRunning ? t('isRunning') : null) : t('isOff'),
  confirm: (task, { t }) => ({
    title: t('ask.run', { name: taskLabel(task.class) }),
    body: <p>{t('runMeans')}</p>,
  }),
  input: ({ taskId }) => ({ taskId }),
  done: 'done.run',
})

export const editAction = panelAction<Task>({
  id: 'edit',
  endpoint: editTask,
  text: 'edit',
  icon: 'edit',
  disabledReason: (task, { t }) => (task.class === WATCH_CLASS ? t('isWatchCycle') : null),
  panel: (task, { done, close }) => <CycleForm task={task} onDone={done} onClose={close} />,
})

export const switchOnAction = callAction(setTaskStatus, {
  id: 'on',
  text: 'on',
  icon: 'tick-circle',
  intent: 'success',
  when: ({ status }: Task) => taskLifecycle.can(status, { type: 'SWITCH_ON' }),
  input: ({ taskId, version }) => ({ taskId, version, status: 'enabled' as const }),
  done: 'done.on',
})

export const switchOffAction = callAction(setTaskStatus, {
  id: 'off',
  text: 'off',
  icon: 'disable',
  intent: 'danger',
  separated: true,
  when: ({ status }: Task) => taskLifecycle.can(status, { type: 'SWITCH_OFF' }),
  disabledReason: (task, { t }) => (task.class === WATCH_CLASS ? t('isWatch') : null),
  confirm: (task, { t }) => ({
    title: t('ask.off', { name: taskLabel(task.class) }),
    body: <p>{t('offMeans')}</p>,
  }),
  input: ({ taskId, version }) => ({ taskId, version, status: 'disabled' as const }),
  done: 'done.off',
})
