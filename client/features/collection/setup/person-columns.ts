/** Columns of the list of collectors. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  idColumn,
  integerColumn,
  moneyColumn,
  staffColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import type { Person } from './setup-types.ts'

const title = (name: string) => `collection:setup.col.${name}`
const ALL: readonly GridColumn<Person>[] = [
  idColumn<Person>({
    id: 'account',
    title: title('account'),
    width: 176,
    sort: 'account',
    pin: 'left',
  }),
  staffColumn<Person>({
    id: 'name',
    title: title('name'),
    width: 160,
    sort: 'name',
    presence: (row) => (row.online ? 'online' : 'offline'),
  }),
  textColumn<Person>({
    id: 'roleMark',
    title: title('role'),
    width: 150,
    text: (row, { t }) => t(`collection:role.${row.roleMark}`),
    tip: (row, { t }) => t(`collection:role.${row.roleMark}`),
  }),
  textColumn<Person>({
    id: 'agencyName',
    title: title('agencyName'),
    width: 152,
    sort: 'agencyName',
  }),
  textColumn<Person>({
    id: 'departmentName',
    title: title('departmentName'),
    width: 150,
    sort: 'departmentName',
  }),
  textColumn<Person>({ id: 'groupName', title: title('groupName'), width: 116, sort: 'groupName' }),
  tagsColumn<Person>({ id: 'stageIds', title: title('stages'), width: 214 }),
  yesNoColumn<Person>({ id: 'onDuty', title: title('onDuty'), width: 84 }),
  yesNoColumn<Person>({ id: 'allocationFlag', title: title('allocationFlag'), width: 108 }),
  integerColumn<Person>({
    id: 'openCases',
    title: title('openCases'),
    width: 92,
    sort: 'openCases',
  }),
  integerColumn<Person>({ id: 'capacity', title: title('capacity'), width: 92, sort: 'capacity' }),
  integerColumn<Person>({ id: 'weight', title: title('weight'), width: 84, sort: 'weight' }),
  dayColumn<Person>({
    id: 'certExpiry',
    title: title('certExpiry'),
    width: 120,
    sort: 'certExpiry',
    className: (row) => (row.certValid ? '' : 'cell-bad'),
  }),
  statusColumn<Person>({
    id: 'status',
    title: title('accountStatus'),
    width: 110,
    word: (status, { t }) => t(`collection:status.${status}`),
    tone: (status) => (status === 'normal' ? 'good' : status === 'frozen' ? 'warn' : 'neutral'),
  }),
  moneyColumn<Person>({
    id: 'todayRecovered',
    title: title('todayRecovered'),
    width: 120,
    sort: 'todayRecovered',
  }),
  yesNoColumn<Person>({ id: 'addressBookVisible', title: title('addressBookVisible'), width: 130 }),
  textColumn<Person>({ id: 'seatNumber', title: title('seatNumber'), width: 90 }),
  textColumn<Person>({ id: 'certNo', title: title('certNo'), width: 110 }),
]
const NARROW = shown(ALL, [
  'account',
  'name',
  'agencyName',
  'groupName',
  'stageIds',
  'onDuty',
  'allocationFlag',
  'openCases',
  'certNo',
  'certExpiry',
  'status',
])
const WIDE = shown(ALL, [
  'account',
  'name',
  'roleMark',
  'agencyName',
  'departmentName',
  'groupName',
  'stageIds',
  'onDuty',
  'allocationFlag',
  'openCases',
  'capacity',
  'weight',
  'certNo',
  'certExpiry',
  'status',
  'todayRecovered',
])

export function personColumns({ isWide }: ListContext): readonly GridColumn<Person>[] {
  return isWide ? WIDE : NARROW
}
