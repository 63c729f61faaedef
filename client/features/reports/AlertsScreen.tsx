/** Alerts on daily figures, and who is notified when a limit is crossed. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { deleteAlert, listAlerts, saveAlert } from '#shared/reports/alerts-api.ts'
import { ALERT_COLUMNS } from './alert-columns.ts'
import type { Alert } from './alert-types.ts'

// brings the form library, which the list itself does not need
const AlertForm = lazyPart(() => import('./AlertForm.tsx').then((m) => ({ default: m.AlertForm })))

const addAlert = panelAction<null>({
  id: 'alert',
  endpoint: saveAlert,
  text: 'alert.add',
  panel: (_, { done, close }) => <AlertForm alert={null} onDone={done} onClose={close} />,
})

const editAlert = panelAction<Alert>({
  id: 'alert',
  endpoint: saveAlert,
  text: 'alert.edit',
  icon: 'edit',
  panel: (alert, { done, close }) => <AlertForm alert={alert} onDone={done} onClose={close} />,
})

const removeAlert = callAction(deleteAlert, {
  id: 'delete',
  text: 'alert.delete',
  icon: 'trash',
  confirm: (_: Alert, { t }) => ({ title: t('alert.askDelete'), intent: 'danger' }),
  input: ({ alertId, version }) => ({ alertId, version }),
  done: 'alert.deleted',
})

export const Screen = listScreen({
  endpoint: listAlerts,
  rowId: 'alertId',
  texts: ['reports'],
  columns: ALERT_COLUMNS,
  filters: filtersOf({}),
  sort: 'updatedTime:desc',
  create: addAlert,
  actions: [editAlert, removeAlert],
  open: 'alert',
  empty: 'alert.none',
})
