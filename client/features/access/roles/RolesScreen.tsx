/** Roles: who stands behind them, what rows they see, whether they are on (screens.md 7.2). */
import '../access.css'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { WithdrawRequest } from '#client/features/approvals/public.tsx'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { approvalColumn, askedAlready, withdrawAction } from '#client/shell/waiting-approval.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { listRoles, roleDetail, saveRole } from '#shared/access/roles-api.ts'
import { roleWord } from '../role-words.ts'
import { useSay } from '../use-say.ts'

type Role = DataOf<typeof listRoles>['rows'][number]

const title = (name: string) => `access:role.col.${name}`
const pathOf = (roleId: string) => `/system/role_edit?roleId=${encodeURIComponent(roleId)}`
const COLUMNS: readonly GridColumn<Role>[] = [
  idColumn<Role>({
    id: 'name',
    title: title('name'),
    width: 290,
    sort: 'name',
    pin: 'left',
    text: (row, { t }) => roleWord(t, row.uniqueMark, row.name),
    href: (row) => pathOf(row.roleId),
  }),
  textColumn<Role>({
    id: 'uniqueMark',
    title: title('uniqueMark'),
    width: 190,
    sort: 'uniqueMark',
  }),
  statusColumn<Role>({
    id: 'status',
    title: title('status'),
    width: 120,
    sort: 'status',
    word: (status, { t }) => t(`access:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  wordColumn<Role>({
    id: 'dataScope',
    title: title('dataScope'),
    width: 180,
    sort: 'dataScope',
    word: (scope, { t }) => t(`access:scope.${scope}`),
  }),
  integerColumn<Role>({
    id: 'userCount',
    title: title('userCount'),
    width: 110,
    sort: 'userCount',
  }),
  yesNoColumn<Role>({ id: 'builtIn', title: title('builtIn'), width: 110 }),
  timeColumn<Role>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 170,
    sort: 'updateTime',
  }),
  approvalColumn<Role>(),
]
const EVENTS = ['menu.changed', 'user.changed', APPROVAL_CHANGED.type]
const FILTERS = { name: 'text', uniqueMark: 'text', status: 'one' } as const

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['role:add'])
  const mayEdit = usePermission(['role:edit'])
  const maySwitch = usePermission(['role:status'])
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'updateTime', dir: 'desc' }] })
  const input = useMemo<InputOf<typeof listRoles>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listRoles, Role>(listRoles, input, EVENTS)
  const save = useSend(saveRole)
  const [switching, setSwitching] = useState<Role | null>(null)
  const [withdrawing, setWithdrawing] = useState<PendingApprovalRow | null>(null)
  useWatch('menu', 'role')

  const rowActions = (row: Role): RowAction[] => [
    {
      id: 'edit',
      text: t(mayEdit ? 'role.edit' : 'role.look'),
      icon: mayEdit ? 'edit' : 'eye-open',
      onClick: () => navigate(pathOf(row.roleId)),
    },
    ...(maySwitch
      ? [
          {
            id: 'status',
            text: t(row.status === 'enabled' ? 'role.disable' : 'role.enable'),
            icon: row.status === 'enabled' ? 'disable' : 'play',
            intent: row.status === 'enabled' ? 'danger' : 'primary',
            separated: true,
            disabledReason:
              row.uniqueMark === ADMINISTRATOR
                ? t('role.kept')
                : (offline ?? askedAlready(row, 'roleEdit', t)),
            onClick: () => setSwitching(row),
          } as const,
        ]
      : []),
    ...withdrawAction(row, { userId: user.userId, offline, t, onAsk: setWithdrawing }),
  ]
  const goesOff = switching?.status === 'enabled'
  return (
    <div className="access-list">
      <h1 className="visually-hidden">{t('menu.role')}</h1>
      <FilterBar
        fields={[
          { name: 'name', kind: 'text', label: t('role.col.name'), place: 'quick' },
          { name: 'uniqueMark', kind: 'text', label: t('role.col.uniqueMark') },
          {
            name: 'status',
            kind: 'one',
            label: t('role.col.status'),
            place: 'bar',
            options: (['enabled', 'disabled'] as const).map((value) => ({
              value,
              label: t(`status.${value}`),
            })),
          },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('role.add')}
            disabledReason={offline}
            onClick={() => navigate('/system/role_edit')}
          />
        )}
      </FilterBar>
      <DataGrid<Role>
        id="role"
        label={t('menu.role')}
        columns={COLUMNS}
        query={list.query}
        getRowId={(row) => row.roleId}
        getVersion={(row) => row.version}
        view={url.view}
        onView={url.setView}
        onOpen={(row) => navigate(pathOf(row.roleId))}
        rowActions={rowActions}
        filters={url}
        emptyReason={{ text: t('role.none') }}
      />
      <Suspense fallback={null}>
        {withdrawing === null ? null : (
          <WithdrawRequest
            approval={withdrawing}
            onDone={list.refetch}
            onClose={() => setWithdrawing(null)}
          />
        )}
      </Suspense>
      <ConfirmAction
        isOpen={switching !== null}
        intent={goesOff ? 'danger' : 'primary'}
        title={t(goesOff ? 'role.askDisable' : 'role.askEnable', {
          name: switching === null ? '' : roleWord(t, switching.uniqueMark, switching.name),
        })}
        confirmText={t(goesOff ? 'role.disable' : 'role.enable')}
        onConfirm={async () => {
          if (switching === null) return
          // the call takes the whole role: it is sent as it stands, on the version the person has seen
          const {
            roleId,
            name,
            uniqueMark,
            dataScope,
            checkedMenuIds: menuIds,
            checkedButtons: buttons,
          } = await call(roleDetail, { roleId: switching.roleId })
          await save
            .mutateAsync({
              roleId,
              version: switching.version,
              name,
              uniqueMark,
              status: goesOff ? 'disabled' : 'enabled',
              dataScope,
              menuIds,
              buttons,
            })
            .finally(list.refetch)
          void showMessage({ intent: 'success', message: t('role.saved'), key: 'role' })
        }}
        onClose={() => setSwitching(null)}
      >
        <p>{t('role.usersHit', { count: switching?.userCount ?? 0 })}</p>
        {goesOff && <p>{t('role.disableMeans')}</p>}
      </ConfirmAction>
    </div>
  )
}
