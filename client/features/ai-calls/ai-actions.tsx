/** What can be done with configurations and tasks of the calling robot. */
import { lazyPart } from '#client/base/load-part.ts'
import {
  bulkAction,
  callAction,
  forRow,
  linkAction,
  panelAction,
} from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import {
  addAiConfig,
  aiCallOptions,
  createAiTasks,
  editAiConfig,
  setAiConfigStatus,
  steerAiTasks,
} from '#shared/ai-calls/ai-calls-api.ts'
import { aiTaskLifecycle } from '#shared/ai-calls/ai-task-lifecycle.ts'
import { casePathOf } from './ai-columns.ts'
import type { AiConfig, AiTask } from './ai-types.ts'

const ConfigForm = lazyPart(() =>
  import('./ConfigForm.tsx').then((m) => ({ default: m.ConfigForm })),
)
const CreateForm = lazyPart(() =>
  import('./CreateForm.tsx').then((m) => ({ default: m.CreateForm })),
)
const TaskDrawer = lazyPart(() =>
  import('./TaskDrawer.tsx').then((m) => ({ default: m.TaskDrawer })),
)

const configForm = (config: AiConfig | null, { read, done, close }: PanelTools) => {
  const options = read(aiCallOptions)
  return options && <ConfigForm config={config} options={options} onDone={done} onClose={close} />
}

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addAiConfig,
  text: 'add',
  panel: configForm,
})

export const editAction = panelAction<AiConfig>({
  id: 'edit',
  endpoint: editAiConfig,
  text: 'edit',
  icon: 'edit',
  panel: configForm,
})

export const statusActions = (['enabled', 'disabled'] as const).map((status) =>
  callAction(setAiConfigStatus, {
    id: status,
    text: `switch.${status}`,
    icon: status === 'enabled' ? 'play' : 'pause',
    when: (config: AiConfig) => config.status !== status,
    confirm: ({ productName, openTasks }, { t }) => ({
      title: t(`ask.${status}`, { name: productName }),
      body: <p>{t(`means.${status}`, { n: openTasks })}</p>,
    }),
    input: ({ configId, version }) => ({ configId, version, status }),
    done: `done.${status}`,
  }),
)

export const createAction = panelAction<null>({
  id: 'create',
  endpoint: createAiTasks,
  text: 'create',
  panel: (_, { read, done, close }) => (
    <CreateForm configs={read(aiCallOptions)?.configs ?? []} onDone={done} onClose={close} />
  ),
})

export const openAction = panelAction<AiTask>({
  id: 'open',
  text: 'open',
  icon: 'list',
  panel: ({ taskId }, { close }) => <TaskDrawer taskId={taskId} onClose={close} />,
})

export const caseAction = linkAction<AiTask>({
  id: 'case',
  text: 'openCase',
  icon: 'headset',
  when: ({ caseId }) => caseId !== null,
  path: casePathOf,
})

const STEPS = [
  { to: 'paused', icon: 'pause', event: 'PAUSE' },
  { to: 'pending', icon: 'play', event: 'RESUME' },
  { to: 'cancelled', icon: 'cross', event: 'CANCEL' },
] as const

export const steerActions = STEPS.map(({ to, icon }) =>
  bulkAction<typeof steerAiTasks, AiTask>(steerAiTasks, {
    id: to,
    text: `steer.${to}`,
    icon,
    ...(to === 'cancelled' && { intent: 'danger' }),
    confirm: (_, { t }) => ({
      title: t(`ask.${to}`),
      intent: to === 'cancelled' ? 'danger' : 'primary',
      body: <p>{t(`means.${to}`)}</p>,
    }),
    input: (taskIds) => ({ taskIds, to }),
  }),
)

export const steerRows = steerActions.map((action, n) => {
  const { event } = STEPS[n] as (typeof STEPS)[number]
  return forRow(action, {
    when: ({ state }) =>
      aiTaskLifecycle.allowed(state).includes(event) ||
      (event === 'RESUME' && aiTaskLifecycle.allowed(state).includes('SCHEDULE')),
  })
})
