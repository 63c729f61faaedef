/** Roles: their members, their data scope and whether they are enabled. */
import '../access.css'
import { withdrawAction } from '#client/features/approvals/public.tsx'
import { callAction, linkAction, withCodes } from '#client/screen/list/list-actions.ts'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import { call } from '#client/session/call.ts'
import { listRoles, roleDetail, saveRole } from '#shared/access/roles-api.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { roleWord } from '../role-words.ts'
import { pathOf, ROLE_COLUMNS } from './role-columns.ts'
import type { Role } from './role-types.ts'

// saveRole takes a whole role, but adding, editing and switching one have a code each
const EDITS = { access: ['role:edit'] } as const

const addAction = withCodes(
  ['role:add'],
  linkAction<null>({
    id: 'add',
    text: 'role.add',
    disabledReason: (_, { offline }) => offline,
    path: () => '/system/role_edit',
  }),
)

const openAction = linkAction<Role>({
  id: 'edit',
  text: (_, { t, may }) => t(may(EDITS) ? 'role.edit' : 'role.look'),
  icon: (_, { may }) => (may(EDITS) ? 'edit' : 'eye-open'),
  path: ({ roleId }) => pathOf(roleId),
})

const switchAction = withCodes(
  ['role:status'],
  callAction(saveRole, {
    id: 'status',
    text: ({ status }: Role, { t }) => t(status === 'enabled' ? 'role.disable' : 'role.enable'),
    icon: ({ status }) => (status === 'enabled' ? 'disable' : 'play'),
    intent: ({ status }) => (status === 'enabled' ? 'danger' : 'primary'),
    separated: true,
    disabledReason: (role, { t }) =>
      role.uniqueMark === ADMINISTRATOR ? t('role.kept') : alreadyRequested(role, 'roleEdit', t),
    confirm: ({ status, uniqueMark, name, userCount }, { t }) => ({
      title: t(status === 'enabled' ? 'role.askDisable' : 'role.askEnable', {
        name: roleWord(t, uniqueMark, name),
      }),
      body: (
        <>
          <p>{t('role.usersHit', { count: userCount })}</p>
          {status === 'enabled' && <p>{t('role.disableMeans')}</p>}
        </>
      ),
    }),
    async input({ roleId, version, status }) {
      // the call takes the whole role: it is sent unchanged, with the version the person has seen
      const role = await call(roleDetail, { roleId })
      return {
        roleId,
        version,
        name: role.name,
        uniqueMark: role.uniqueMark,
        status: status === 'enabled' ? ('disabled' as const) : ('enabled' as const),
        dataScope: role.dataScope,
        menuIds: role.checkedMenuIds,
        buttons: role.checkedButtons,
      }
    },
    done: 'role.saved',
  }),
)

export const Screen = listScreen({
  endpoint: listRoles,
  rowId: 'roleId',
  texts: ['access'],
  columns: ROLE_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'role.col.name', place: 'quick' },
    uniqueMark: { kind: 'text', label: 'role.col.uniqueMark' },
    status: {
      kind: 'one',
      label: 'role.col.status',
      place: 'bar',
      options: wordsOf('status', ['enabled', 'disabled']),
    },
  }),
  sort: 'updateTime:desc',
  refreshOn: ['menu.changed', 'user.changed', APPROVAL_CHANGED.type],
  create: addAction,
  actions: [openAction, switchAction, withdrawAction],
  open: 'edit',
  empty: 'role.none',
})
