/** What can be done with decision tables. */
import { lazyPart } from '#client/base/load-part.ts'
import { withdrawAction } from '#client/features/approvals/public.tsx'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { addTable, deleteTable, editTable, setTableStatus } from '#shared/rules/tables/table-api.ts'
import type { Table } from './table-types.ts'
import { tableName } from '../shipped-words.ts'

// they load the form library and the editor, which the list itself does not need
const TableForm = lazyPart(() => import('./TableForm.tsx').then((m) => ({ default: m.TableForm })))
const TableDrawer = lazyPart(() =>
  import('./TableDrawer.tsx').then((m) => ({ default: m.TableDrawer })),
)

const REASON = { min: 4, max: 200 }

const form = (table: Table | null, { done, close }: PanelTools) => (
  <TableForm table={table} onDone={done} onClose={close} />
)

export const addTableAction = panelAction<null>({
  id: 'add',
  endpoint: addTable,
  text: 'table.add',
  panel: form,
})

const openAction = panelAction<Table>({
  id: 'open',
  text: 'rule.open',
  icon: 'history',
  panel: (table, { may, close }) => <TableDrawer table={table} may={may} onClose={close} />,
})

const editAction = panelAction<Table>({
  id: 'edit',
  endpoint: editTable,
  text: 'rule.edit',
  icon: 'edit',
  panel: form,
})

const enableAction = callAction(setTableStatus, {
  id: 'enable',
  text: 'rule.enable',
  icon: 'play',
  intent: 'primary',
  separated: true,
  disabledReason: (table: Table, { t }) =>
    table.status === 'enabled' && !table.hasDraft
      ? t('rule.inForce')
      : alreadyRequested(table, 'tableEnable', t),
  confirm: ({ tableId, name, latestNo }, { t }) => ({
    title: t('rule.askEnable', { name: tableName(t, tableId, name), n: latestNo }),
    body: <p>{t('rule.enableMeans')}</p>,
    reason: REASON,
  }),
  input: ({ tableId, version, latestNo }, _, reason) => ({
    tableId,
    version,
    versionNo: latestNo,
    status: 'enabled' as const,
    reason,
  }),
  done: 'rule.asked',
})

const disableAction = callAction(setTableStatus, {
  id: 'disable',
  text: 'rule.disable',
  icon: 'disable',
  intent: 'danger',
  when: ({ status }: Table) => ruleLifecycle.can(status, { type: 'DISABLE' }),
  confirm: ({ tableId, name }, { t }) => ({
    title: t('rule.askDisable', { name: tableName(t, tableId, name) }),
    body: <p>{t('rule.disableMeans')}</p>,
    reason: REASON,
  }),
  input: ({ tableId, version }, _, reason) => ({
    tableId,
    version,
    status: 'disabled' as const,
    reason,
  }),
  done: 'table.disabled',
})

const deleteAction = callAction(deleteTable, {
  id: 'delete',
  text: 'rule.delete',
  icon: 'delete',
  intent: 'danger',
  separated: true,
  when: ({ status }: Table) => ruleLifecycle.can(status, { type: 'DELETE' }),
  disabledReason: (table, { t }) => alreadyRequested(table, 'tableEnable', t),
  confirm: ({ name }, { t }) => ({
    title: t('rule.askDelete', { name }),
    irreversible: [t('table.deleteMeans')],
  }),
  input: ({ tableId, version }) => ({ tableId, version }),
  done: 'table.deleted',
})

export const TABLE_ACTIONS = [
  openAction,
  editAction,
  enableAction,
  disableAction,
  withdrawAction,
  deleteAction,
]
