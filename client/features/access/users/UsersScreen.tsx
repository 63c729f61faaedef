/** Staff accounts: role, unit and whether they can log in. */
import '../access.css'
import { filtersOf, named, reads, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listRoles } from '#shared/access/roles-api.ts'
import { listUsers, USER_STATUSES } from '#shared/access/users-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { roleWord } from '../role-words.ts'
import {
  addUserAction,
  editUserAction,
  resetAction,
  sessionsAction,
  switchActions,
  twoFactorAction,
  unlockAction,
} from './user-actions.tsx'
import { userColumns } from './user-columns.ts'

export const Screen = listScreen({
  endpoint: listUsers,
  rowId: 'userId',
  texts: ['access'],
  columns: userColumns,
  filters: filtersOf({
    nickname: { kind: 'text', label: 'user.col.name', place: 'quick' },
    roleId: {
      kind: 'one',
      label: 'user.col.role',
      place: 'bar',
      options: ({ read, t }) =>
        (read(listRoles)?.rows ?? []).map(({ roleId, uniqueMark, name }) => ({
          value: roleId,
          label: roleWord(t, uniqueMark, name),
        })),
    },
    status: {
      kind: 'one',
      label: 'user.col.status',
      place: 'bar',
      options: wordsOf('status', USER_STATUSES),
    },
    account: { kind: 'text', label: 'user.col.account' },
    agencyId: {
      kind: 'one',
      label: 'user.col.agencyName',
      options: ({ read }) => named(read(collectionTree)?.agencies),
    },
    departmentId: {
      kind: 'one',
      label: 'user.col.departmentName',
      options: ({ read }) => named(read(collectionTree)?.departments),
    },
    groupId: {
      kind: 'one',
      label: 'user.col.groupName',
      options: ({ read }) => named(read(collectionTree)?.groups),
    },
    jobNumber: { kind: 'text', label: 'user.col.jobNumber' },
    online: { kind: 'one', label: 'user.col.online', options: yesNo },
  }),
  sort: 'account:asc',
  reads: [reads(collectionTree, {}), reads(listRoles, { pageSize: 200, sort: 'name:asc' })],
  refreshOn: ['user.changed', 'collector.changed', 'menu.changed', 'presence.changed'],
  create: addUserAction,
  actions: [
    editUserAction,
    resetAction,
    sessionsAction,
    twoFactorAction,
    unlockAction,
    ...switchActions,
  ],
  open: 'edit',
  empty: 'user.none',
})
