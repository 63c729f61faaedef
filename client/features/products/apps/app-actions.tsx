/** What can be done with apps. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import { addApp, addGroup, editApp, listGroups, refreshApps } from '#shared/products/apps-api.ts'
import type { App } from './app-types.ts'

// They bring the form library, which the list itself does not need.
const AppForm = lazyPart(() => import('./AppForm.tsx').then((m) => ({ default: m.AppForm })))
const GroupForm = lazyPart(() => import('./GroupForm.tsx').then((m) => ({ default: m.GroupForm })))

export const addAppAction = panelAction<null>({
  id: 'add',
  endpoint: addApp,
  text: 'app.add',
  panel: (_, { done, close }) => <AppForm app={null} onDone={done} onClose={close} />,
})

export const editAppAction = panelAction<App>({
  id: 'edit',
  endpoint: editApp,
  text: 'action.edit',
  icon: 'edit',
  panel: (app, { done, close }) => <AppForm app={app} onDone={done} onClose={close} />,
})

export const addGroupAction = panelAction<null>({
  id: 'group',
  endpoint: addGroup,
  text: 'app.addGroup',
  icon: 'add',
  variant: 'outlined',
  panel: (_, { readAgain, read, close }) => (
    <GroupForm
      groups={read(listGroups) ?? []}
      onDone={() => readAgain(listGroups)}
      onClose={close}
    />
  ),
})

export const refreshAppsAction = callAction<typeof refreshApps, null>(refreshApps, {
  id: 'refresh',
  text: 'action.refresh',
  icon: 'refresh',
  variant: 'outlined',
  input: () => ({}),
  done: ({ count }, { t }) => t('app.refreshed', { count }),
})
