/** What can be done with parameters. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import {
  addConfig,
  addConfigs,
  MOST_PARAMETERS,
  refreshConfig,
  setConfigState,
  updateConfig,
  updateConfigs,
} from '#shared/system/config-api.ts'
import type { Parameter } from './parameter-types.ts'

// Both bring the form library, which the list itself does not need.
const ParameterForm = lazyPart(() =>
  import('./ParameterForm.tsx').then((m) => ({ default: m.ParameterForm })),
)
const BatchDrawer = lazyPart(() =>
  import('./BatchDrawer.tsx').then((m) => ({ default: m.BatchDrawer })),
)

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addConfig,
  text: 'conf.add',
  panel: (_, { done, close }) => <ParameterForm parameter={null} onDone={done} onClose={close} />,
})

export const editAction = panelAction<Parameter>({
  id: 'edit',
  endpoint: updateConfig,
  text: 'edit',
  icon: 'edit',
  panel: (row, { done, close }) => <ParameterForm parameter={row} onDone={done} onClose={close} />,
})

export const addManyAction = panelAction<null>({
  id: 'addMany',
  endpoint: addConfigs,
  text: 'conf.batch',
  icon: 'import',
  panel: (_, { done, close }) => <BatchDrawer parameters={[]} onDone={done} onClose={close} />,
})

export const editManyAction = panelAction<readonly Parameter[]>({
  id: 'editMany',
  endpoint: updateConfigs,
  text: 'conf.batchOfChosen',
  icon: 'edit',
  disabledReason: (rows, { t }) =>
    rows.length > MOST_PARAMETERS ? t('conf.atMost', { n: MOST_PARAMETERS }) : null,
  panel: (rows, { done, close }) => <BatchDrawer parameters={rows} onDone={done} onClose={close} />,
})

export const switchAction = callAction(setConfigState, {
  id: 'status',
  text: ({ state }: Parameter, { t }) => t(state === 'enabled' ? 'disable' : 'enable'),
  icon: ({ state }) => (state === 'enabled' ? 'disable' : 'play'),
  separated: true,
  disabledReason: ({ builtIn }, { t }) => (builtIn ? t('fault.builtIn') : null),
  input: ({ configId, version, state }) => ({
    configId,
    version,
    state: state === 'enabled' ? ('disabled' as const) : ('enabled' as const),
  }),
  done: 'saved',
})

export const refreshAction = callAction<typeof refreshConfig, null>(refreshConfig, {
  id: 'refresh',
  text: 'conf.refresh',
  icon: 'refresh',
  input: () => ({}),
  done: ({ count }, { t }) => t('conf.refreshed', { n: count }),
})
