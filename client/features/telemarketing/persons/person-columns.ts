/** Columns of telemarketers. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  staffColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { TelePerson } from './person-types.ts'

const title = (name: string) => `telemarketing:person.col.${name}`
const STATUS_TONES: Record<string, Tone> = { normal: 'good', disabled: 'neutral', frozen: 'bad' }
const count = (id: 'todayAssigned' | 'todayFollowed' | 'todayConverted') =>
  integerColumn<TelePerson>({ id, title: title(id), width: 140, sort: id })

/** What is decided by comes before what is known. */
export const PERSON_COLUMNS: readonly GridColumn<TelePerson>[] = [
  textColumn<TelePerson>({
    id: 'account',
    title: title('account'),
    width: 160,
    sort: 'account',
    pin: 'left',
  }),
  staffColumn<TelePerson>({
    id: 'name',
    title: title('name'),
    width: 150,
    sort: 'name',
    presence: ({ online }) => (online ? 'online' : 'offline'),
  }),
  tagsColumn<TelePerson>({
    id: 'segments',
    title: title('segments'),
    width: 330,
    word: (segment, { t }) => t(`telemarketing:menu.${segment}`),
  }),
  yesNoColumn<TelePerson>({ id: 'allocationFlag', title: title('allocationFlag'), width: 115 }),
  integerColumn<TelePerson>({
    id: 'openTasks',
    title: title('openTasks'),
    width: 110,
    sort: 'openTasks',
  }),
  integerColumn<TelePerson>({
    id: 'capacity',
    title: title('capacity'),
    width: 130,
    sort: 'capacity',
  }),
  count('todayAssigned'),
  count('todayFollowed'),
  count('todayConverted'),
  yesNoColumn<TelePerson>({ id: 'online', title: title('online'), width: 90 }),
  statusColumn<TelePerson>({
    id: 'status',
    title: title('status'),
    width: 130,
    word: (status, { t }) => t(`access:status.${status}`),
    tone: (status) => STATUS_TONES[status] ?? 'neutral',
  }),
  textColumn<TelePerson>({
    id: 'groupName',
    title: title('groupName'),
    width: 120,
    sort: 'groupName',
  }),
  wordColumn<TelePerson>({
    id: 'roleMark',
    title: title('roleMark'),
    width: 260,
    word: (mark, { t }) => t(`access:mark.${mark}`),
  }),
  textColumn<TelePerson>({ id: 'seatNumber', title: title('seatNumber'), width: 90 }),
]
