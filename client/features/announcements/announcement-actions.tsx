/** What can be done with announcements. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import { listRoles } from '#shared/access/roles-api.ts'
import { announcementLifecycle } from '#shared/announcements/announcement-lifecycle.ts'
import {
  addAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  setAnnouncementStatus,
} from '#shared/announcements/announcements-api.ts'
import type { Announcement } from './announcement-types.ts'
import { AnnouncementPreview } from './AnnouncementPreview.tsx'
import { readersOf } from './readers.ts'

// loads the form library, which the list itself does not need
const AnnouncementForm = lazyPart(() =>
  import('./AnnouncementForm.tsx').then((m) => ({ default: m.AnnouncementForm })),
)

export const previewAction = panelAction<Announcement>({
  id: 'preview',
  text: 'preview',
  icon: 'eye-open',
  panel: (announcement, { close }) => (
    <AnnouncementPreview announcement={announcement} onClose={close} />
  ),
})

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addAnnouncement,
  text: 'add',
  panel: (_, tools) => announcementForm(null, tools),
})

export const editAction = panelAction<Announcement>({
  id: 'edit',
  endpoint: editAnnouncement,
  text: 'edit',
  icon: 'edit',
  panel: announcementForm,
})

export const publishAction = callAction(setAnnouncementStatus, {
  id: 'publish',
  text: 'publish',
  icon: 'send-to',
  intent: 'primary',
  when: ({ status }: Announcement) => announcementLifecycle.can(status, { type: 'PUBLISH' }),
  confirm: (row, { t }) => ({
    title: t('ask.published', { title: row.title }),
    body: (
      <p>{t('publishMeans', { readers: readersOf(row, t), pop: t(`pop.${row.popCondition}`) })}</p>
    ),
  }),
  input: ({ noticeId, version }) => ({ noticeId, version, status: 'published' as const }),
  done: 'done.published',
})

export const withdrawAction = callAction(setAnnouncementStatus, {
  id: 'withdraw',
  text: 'withdraw',
  icon: 'undo',
  intent: 'warning',
  when: ({ status }: Announcement) => announcementLifecycle.can(status, { type: 'WITHDRAW' }),
  confirm: ({ title, exposureCount }, { t }) => ({
    title: t('ask.withdrawn', { title }),
    body: <p>{t('withdrawMeans', { n: exposureCount })}</p>,
  }),
  input: ({ noticeId, version }) => ({ noticeId, version, status: 'withdrawn' as const }),
  done: 'done.withdrawn',
})

export const deleteAction = callAction(deleteAnnouncement, {
  id: 'delete',
  text: 'delete',
  icon: 'delete',
  intent: 'danger',
  separated: true,
  confirm: ({ title, exposureCount }: Announcement, { t }) => ({
    title: t('ask.deleted', { title }),
    irreversible: [t('deleteMeans')],
    body: <p>{t('deleteWhat', { n: exposureCount })}</p>,
  }),
  input: ({ noticeId, version }) => ({ noticeId, version }),
  done: 'done.deleted',
})

function announcementForm(
  announcement: Announcement | null,
  { read, done, close }: PanelTools,
): ReactNode {
  return (
    <AnnouncementForm
      announcement={announcement}
      roles={read(listRoles)?.rows ?? []}
      onDone={done}
      onClose={close}
    />
  )
}
