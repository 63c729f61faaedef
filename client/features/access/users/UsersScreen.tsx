/** Staff accounts: who there is, where he belongs, whether he may sign in (screens.md 7.1). */
import '../access.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  staffColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGE_NAMES } from '#shared/kernel/languages.ts'
import { TWO_FACTOR_PERMISSION } from '#shared/session/account-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { listRoles } from '#shared/access/roles-api.ts'
import {
  type editUser,
  listUsers,
  setUserStatus,
  unlockUser,
  USER_STATUSES,
} from '#shared/access/users-api.ts'
import { roleWord } from '../role-words.ts'
import { useSay } from '../use-say.ts'
import { ResetForm } from './ResetForm.tsx'
import { SessionsDrawer } from './SessionsDrawer.tsx'
import { TwoFactorForm } from './TwoFactorForm.tsx'
import { UserForm } from './UserForm.tsx'

export type User = DataOf<typeof editUser>

const title = (name: string) => `access:user.col.${name}`
const isOn = (status: string | number) => status === 'enabled' || status === 'normal'
const ALL: readonly GridColumn<User>[] = [
  idColumn<User>({
    id: 'account',
    title: title('account'),
    width: 170,
    sort: 'account',
    pin: 'left',
  }),
  staffColumn<User>({
    id: 'userName',
    title: title('userName'),
    width: 160,
    sort: 'userName',
    presence: (row) => (row.online ? 'online' : 'offline'),
  }),
  textColumn<User>({ id: 'nickname', title: title('nickname'), width: 120, sort: 'nickname' }),
  textColumn<User>({
    id: 'roleName',
    title: title('role'),
    width: 166,
    sort: 'roleName',
    text: (row, { t }) => roleWord(t, row.roleMark, row.roleName),
    tip: (row, { t }) => roleWord(t, row.roleMark, row.roleName),
  }),
  statusColumn<User>({
    id: 'status',
    title: title('status'),
    width: 116,
    sort: 'status',
    value: (row) => (row.lockedUntil === null ? row.status : 'locked'),
    word: (status, { t }) => t(`access:status.${status}`),
    tone: (status) => (isOn(status) ? 'good' : status === 'disabled' ? 'neutral' : 'warn'),
  }),
  timeColumn<User>({
    id: 'lastLoginTime',
    title: title('lastLoginTime'),
    width: 152,
    sort: 'lastLoginTime',
  }),
  textColumn<User>({
    id: 'agencyName',
    title: title('agencyName'),
    width: 144,
    sort: 'agencyName',
  }),
  textColumn<User>({
    id: 'departmentName',
    title: title('departmentName'),
    width: 150,
    sort: 'departmentName',
  }),
  textColumn<User>({ id: 'groupName', title: title('groupName'), width: 106, sort: 'groupName' }),
  textColumn<User>({ id: 'jobNumber', title: title('jobNumber'), width: 110, sort: 'jobNumber' }),
  textColumn<User>({ id: 'email', title: title('email'), width: 190 }),
  wordColumn<User>({
    id: 'language',
    title: title('language'),
    width: 130,
    sort: 'language',
    word: (code) => LANGUAGE_NAMES[code as keyof typeof LANGUAGE_NAMES],
  }),
  yesNoColumn<User>({ id: 'allocationFlag', title: title('allocationFlag'), width: 124 }),
  yesNoColumn<User>({ id: 'twoFactor', title: title('twoFactor'), width: 104 }),
]
const NARROW = ALL.map((column) =>
  [
    'account',
    'userName',
    'roleName',
    'status',
    'lastLoginTime',
    'agencyName',
    'groupName',
    'allocationFlag',
    'twoFactor',
  ].includes(column.id)
    ? column
    : { ...column, hidden: true },
)

const FILTERS = {
  nickname: 'text',
  account: 'text',
  roleId: 'one',
  status: 'one',
  agencyId: 'one',
  departmentId: 'one',
  groupId: 'one',
  jobNumber: 'text',
  online: 'one',
} as const
const EVENTS = ['user.changed', 'collector.changed', 'menu.changed']
/** Nobody tells of each sign-in; the marks of who is there are read again this often. */
const ONLINE_MS = 30_000

type Switch = { user: User; to: 'enabled' | 'disabled' | 'frozen' }

export function Screen(): ReactNode {
  const t = useSay()
  const { user: me } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['user:add'])
  const mayEdit = usePermission(['user:edit'])
  const maySwitch = usePermission(['user:status'])
  const mayReset = usePermission(['user:reset'])
  const mayKick = usePermission(['user:kick'])
  const mayTwoFactor = usePermission([TWO_FACTOR_PERMISSION])
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'account', dir: 'asc' }] })
  const input = useMemo<InputOf<typeof listUsers>>(
    () => ({ ...url.input, ...asInput(filterInput(FILTERS, url.filters)) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listUsers, User>(listUsers, input, EVENTS)
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 })
  const roles = useQuery({
    ...queryOf(listRoles, { pageSize: 200, sort: 'name:asc' }, { quiet: true }),
    staleTime: 60_000,
  })
  const change = useSend(setUserStatus)
  const unlock = useSend(unlockUser)
  const [form, setForm] = useState<User | 'new' | null>(null)
  const [switching, setSwitching] = useState<Switch | null>(null)
  const [resetting, setResetting] = useState<User | null>(null)
  const [looking, setLooking] = useState<User | null>(null)
  const [stepping, setStepping] = useState<User | null>(null)
  useWatch('menu', 'user')
  const readAgain = useEffectEvent(() => document.visibilityState === 'visible' && list.refetch())
  useEffect(() => {
    const timer = setInterval(() => readAgain(), ONLINE_MS)
    return () => clearInterval(timer)
  }, [])

  const rowActions = (row: User): RowAction[] => {
    const above = isAboveOwn(me.roles, row) ? t('user.administratorsOnly') : offline
    const own = row.userId === me.userId ? t('user.notYourself') : above
    return [
      ...(mayEdit
        ? [
            {
              id: 'edit',
              text: t('user.edit'),
              icon: 'edit',
              disabledReason: above,
              onClick: () => setForm(row),
            } as const,
          ]
        : []),
      ...(mayReset
        ? [
            {
              id: 'reset',
              text: t('user.reset'),
              icon: 'lock',
              disabledReason: own,
              onClick: () => setResetting(row),
            } as const,
          ]
        : []),
      ...(mayKick
        ? [
            {
              id: 'sessions',
              text: t('user.sessions'),
              icon: 'people',
              onClick: () => setLooking(row),
            } as const,
          ]
        : []),
      ...(mayTwoFactor && row.twoFactor
        ? [
            {
              id: 'twoFactor',
              text: t('user.twoFactorOff'),
              icon: 'mobile-phone',
              disabledReason: own,
              onClick: () => setStepping(row),
            } as const,
          ]
        : []),
      ...(maySwitch && row.lockedUntil !== null
        ? [
            {
              id: 'unlock',
              text: t('user.unlock'),
              icon: 'unlock',
              disabledReason: above,
              onClick: () =>
                void unlock.mutateAsync({ userId: row.userId }).then(
                  () => say('user.unlocked'),
                  () => undefined,
                ),
            } as const,
          ]
        : []),
      ...(maySwitch && !isOn(row.status)
        ? [
            {
              id: 'enable',
              text: t('user.enable'),
              icon: 'play',
              separated: true,
              disabledReason: own,
              onClick: () => setSwitching({ user: row, to: 'enabled' }),
            } as const,
          ]
        : []),
      ...(maySwitch && isOn(row.status)
        ? [
            {
              id: 'freeze',
              text: t('user.freeze'),
              icon: 'pause',
              intent: 'warning',
              separated: true,
              disabledReason: own,
              onClick: () => setSwitching({ user: row, to: 'frozen' }),
            } as const,
          ]
        : []),
      ...(maySwitch && row.status !== 'disabled'
        ? [
            {
              id: 'disable',
              text: t('user.disable'),
              icon: 'disable',
              intent: 'danger',
              disabledReason: own,
              onClick: () => setSwitching({ user: row, to: 'disabled' }),
            } as const,
          ]
        : []),
    ]
  }
  const say = (key: string) => {
    void showMessage({ intent: 'success', message: t(key), key: 'user' })
    list.refetch()
  }
  const yesNo = [
    { value: 'true', label: t('ui:yes') },
    { value: 'false', label: t('ui:no') },
  ]
  const roleOptions = (roles.data?.rows ?? []).map((role) => ({
    value: role.roleId,
    label: roleWord(t, role.uniqueMark, role.name),
  }))
  return (
    <div className="access-list">
      <h1 className="visually-hidden">{t('menu.user')}</h1>
      <FilterBar
        fields={[
          { name: 'nickname', kind: 'text', label: t('user.col.name'), place: 'quick' },
          {
            name: 'roleId',
            kind: 'one',
            label: t('user.col.role'),
            place: 'bar',
            options: roleOptions,
          },
          {
            name: 'status',
            kind: 'one',
            label: t('user.col.status'),
            place: 'bar',
            options: USER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          },
          { name: 'account', kind: 'text', label: t('user.col.account') },
          {
            name: 'agencyId',
            kind: 'one',
            label: t('user.col.agencyName'),
            options: (tree.data?.agencies ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          },
          {
            name: 'departmentId',
            kind: 'one',
            label: t('user.col.departmentName'),
            options: (tree.data?.departments ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          },
          {
            name: 'groupId',
            kind: 'one',
            label: t('user.col.groupName'),
            options: (tree.data?.groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          { name: 'jobNumber', kind: 'text', label: t('user.col.jobNumber') },
          { name: 'online', kind: 'one', label: t('user.col.online'), options: yesNo },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="new-person"
            intent="primary"
            text={t('user.add')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<User>
        id="user"
        label={t('menu.user')}
        columns={wide ? ALL : NARROW}
        query={list.query}
        getRowId={(row) => row.userId}
        getVersion={(row) => row.version}
        view={url.view}
        onView={url.setView}
        {...(mayEdit
          ? {
              onOpen: (row: User) =>
                isAboveOwn(me.roles, row)
                  ? void showMessage({
                      intent: 'warning',
                      message: t('user.administratorsOnly'),
                      key: 'user',
                    })
                  : setForm(row),
            }
          : {})}
        rowActions={rowActions}
        filters={url}
        emptyReason={{ text: t('user.none') }}
      />
      {form !== null && (
        <UserForm
          key={form === 'new' ? 'new' : form.userId}
          user={form === 'new' ? null : form}
          tree={tree.data}
          roles={(roles.data?.rows ?? []).filter(
            (role) => !isAboveOwn(me.roles, { roleMark: role.uniqueMark }),
          )}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
      {resetting !== null && (
        <ResetForm user={resetting} onDone={list.refetch} onClose={() => setResetting(null)} />
      )}
      {stepping !== null && (
        <TwoFactorForm user={stepping} onDone={list.refetch} onClose={() => setStepping(null)} />
      )}
      {looking !== null && (
        <SessionsDrawer user={looking} onDone={list.refetch} onClose={() => setLooking(null)} />
      )}
      <ConfirmAction
        isOpen={switching !== null}
        intent={
          switching?.to === 'enabled'
            ? 'primary'
            : switching?.to === 'frozen'
              ? 'warning'
              : 'danger'
        }
        title={t(`user.ask.${switching?.to ?? 'enabled'}`, {
          name: switching?.user.userName ?? '',
        })}
        confirmText={t(
          switching?.to === 'enabled'
            ? 'user.enable'
            : switching?.to === 'frozen'
              ? 'user.freeze'
              : 'user.disable',
        )}
        irreversible={switching === null || switching.to === 'enabled' ? [] : [t('user.offMeans')]}
        onConfirm={async () => {
          if (switching === null) return
          await change
            .mutateAsync({
              userId: switching.user.userId,
              version: switching.user.version,
              status: switching.to,
            })
            .finally(list.refetch)
          say('user.saved')
        }}
        onClose={() => setSwitching(null)}
      >
        <p>
          {switching?.to === 'enabled'
            ? t('user.onMeans')
            : t(switching?.to === 'frozen' ? 'user.frozenMeans' : 'user.disabledMeans')}
        </p>
      </ConfirmAction>
    </div>
  )
}

/** Administrators look after administrators. */
function isAboveOwn(mine: readonly string[], { roleMark }: { roleMark: string }): boolean {
  return roleMark === ADMINISTRATOR && !mine.includes(ADMINISTRATOR)
}

/** Yes and no travel as booleans. */
function asInput(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value === 'true' ? true : value === 'false' ? false : value,
    ]),
  )
}
