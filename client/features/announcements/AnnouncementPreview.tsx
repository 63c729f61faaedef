import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { LinkedText } from '#client/ui/value/LinkedText.tsx'
import { linkParts } from '#shared/announcements/announcement-links.ts'
import type { Announcement } from './announcement-types.ts'
import { readersOf } from './readers.ts'

/** The announcement as its readers see it, and who they are. */
export function AnnouncementPreview({
  announcement,
  onClose,
}: {
  announcement: Announcement
  onClose: () => void
}): ReactNode {
  const t = useText('announcements', 'access')
  const { title, status, popCondition, exposureCount, content } = announcement
  return (
    <SideDrawer isOpen title={title} width={560} onClose={onClose}>
      <div className="announcements-preview">
        <dl>
          <dt>{t('col.status')}</dt>
          <dd>{t(`state.${status}`)}</dd>
          <dt>{t('col.popCondition')}</dt>
          <dd>{t(`pop.${popCondition}`)}</dd>
          <dt>{t('col.roles')}</dt>
          <dd>{readersOf(announcement, t)}</dd>
          <dt>{t('col.exposureCount')}</dt>
          <dd className="tabular">{exposureCount}</dd>
        </dl>
        <LinkedText parts={linkParts(content)} />
      </div>
    </SideDrawer>
  )
}
