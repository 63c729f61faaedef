/** Announcements to staff: written, published and withdrawn. */
import './announcements.css'
import { filtersOf, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listRoles } from '#shared/access/roles-api.ts'
import { ANNOUNCEMENT_STATES } from '#shared/announcements/announcement-sets.ts'
import { listAnnouncements } from '#shared/announcements/announcements-api.ts'
import {
  addAction,
  deleteAction,
  editAction,
  previewAction,
  publishAction,
  withdrawAction,
} from './announcement-actions.tsx'
import { ANNOUNCEMENT_COLUMNS } from './announcement-columns.ts'

const EVERY_MS = 30_000

export const Screen = listScreen({
  endpoint: listAnnouncements,
  rowId: 'noticeId',
  texts: ['announcements', 'access'],
  columns: ANNOUNCEMENT_COLUMNS,
  filters: filtersOf({
    title: { kind: 'text', label: 'col.title', place: 'quick' },
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('state', ANNOUNCEMENT_STATES),
    },
    time: { kind: 'day', label: 'col.updateTime' },
  }),
  // drafts of others and exposures are not pushed
  everyMs: EVERY_MS,
  sort: 'updateTime:desc',
  reads: [reads(listRoles, { pageSize: 200, sort: 'name:asc' })],
  refreshOn: ['notice.published', 'notice.withdrawn'],
  create: addAction,
  actions: [previewAction, editAction, publishAction, withdrawAction, deleteAction],
  open: 'preview',
  empty: 'none',
})
