/** Columns of the list of roles. */
import { approvalColumn } from '#client/screen/waiting-approval.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { roleWord } from '../role-words.ts'
import type { Role } from './role-types.ts'

const title = (name: string) => `access:role.col.${name}`
export const pathOf = (roleId: string) => `/system/role_edit?roleId=${encodeURIComponent(roleId)}`
export const ROLE_COLUMNS: readonly GridColumn<Role>[] = [
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
