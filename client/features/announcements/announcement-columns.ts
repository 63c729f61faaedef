/** Columns of the list of announcements. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  staffColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Announcement } from './announcement-types.ts'
import { readersOf } from './readers.ts'

const EVERYBODY = '*'
const title = (name: string) => `announcements:col.${name}`
export const ANNOUNCEMENT_COLUMNS: readonly GridColumn<Announcement>[] = [
  idColumn<Announcement>({ id: 'noticeId', title: title('noticeId'), width: 110, pin: 'left' }),
  textColumn<Announcement>({ id: 'title', title: title('title'), width: 260, sort: 'title' }),
  statusColumn<Announcement>({
    id: 'status',
    title: title('status'),
    width: 118,
    sort: 'status',
    word: (state, { t }) => t(`announcements:state.${state}`),
    tone: (state) => (state === 'published' ? 'good' : state === 'draft' ? 'info' : 'neutral'),
  }),
  wordColumn<Announcement>({
    id: 'popCondition',
    title: title('popCondition'),
    width: 150,
    word: (one, { t }) => t(`announcements:pop.${one}`),
  }),
  // nobody named is everybody
  tagsColumn<Announcement>({
    id: 'roles',
    title: title('roles'),
    width: 230,
    value: ({ roles }) => (roles.length === 0 ? [EVERYBODY] : roles),
    word: (mark, { t }) => readersOf({ roles: mark === EVERYBODY ? [] : [mark] }, t),
  }),
  integerColumn<Announcement>({
    id: 'exposureCount',
    title: title('exposureCount'),
    width: 110,
    sort: 'exposureCount',
  }),
  timeColumn<Announcement>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 156,
    sort: 'updateTime',
  }),
  staffColumn<Announcement>({ id: 'updateBy', title: title('updateBy'), width: 150 }),
  textColumn<Announcement>({ id: 'content', title: title('content'), width: 420 }),
]
