/** Columns of the list of accounts. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  staffColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { LANGUAGE_NAMES } from '#shared/kernel/languages.ts'
import { roleWord } from '../role-words.ts'
import type { User } from './user-types.ts'

const title = (name: string) => `access:user.col.${name}`
export const isOn = (status: string | number) => status === 'enabled' || status === 'normal'
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

export function userColumns({ isWide }: ListContext): readonly GridColumn<User>[] {
  return isWide ? ALL : NARROW
}
