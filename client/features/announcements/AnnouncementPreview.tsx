import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useId } from 'react'
import { useText } from '#client/base/use-text.ts'
import { roleWord } from '#client/features/access/public.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { LinkedText } from '#client/ui/value/LinkedText.tsx'
import { announcementExposure } from '#shared/announcements/exposure-api.ts'
import { linkParts } from '#shared/announcements/announcement-links.ts'
import {
  ANNOUNCEMENT_PUBLISHED,
  ANNOUNCEMENT_WITHDRAWN,
} from '#shared/announcements/announcements-live.ts'
import type { Announcement } from './announcement-types.ts'
import { readersOf } from './readers.ts'

/** The announcement as its readers see it, who they are, and how many of each role were shown it. */
export function AnnouncementPreview({
  announcement,
  onClose,
}: {
  announcement: Announcement
  onClose: () => void
}): ReactNode {
  const t = useText('announcements', 'access')
  const titleId = useId()
  const { noticeId, title, status, popCondition, exposureCount, content, updateTime } = announcement
  return (
    <SideDrawer isOpen title={t('preview')} width={560} onClose={onClose}>
      <div className="announcements-preview">
        <article aria-labelledby={titleId}>
          <h2 id={titleId}>{title}</h2>
          <p>
            <IstTime value={updateTime} />
          </p>
          <LinkedText parts={linkParts(content)} />
        </article>
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
        <Exposure noticeId={noticeId} />
      </div>
    </SideDrawer>
  )
}

function Exposure({ noticeId }: { noticeId: string }): ReactNode {
  const t = useText('announcements', 'access')
  const { data, error, refetch } = useQuery(
    queryOf(announcementExposure, { noticeId }, { quiet: true }),
  )
  const reread = useCallback(() => void refetch(), [refetch])
  useLive([ANNOUNCEMENT_PUBLISHED.type, ANNOUNCEMENT_WITHDRAWN.type], reread)
  if (error && !data) return <ErrorPane error={error} onRetry={reread} />
  return (
    <table className="announcements-exposure">
      <caption>{t('exposure.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('exposure.role')}</th>
          <th scope="col">{t('exposure.shown')}</th>
          <th scope="col">{t('exposure.accounts')}</th>
        </tr>
      </thead>
      <tbody className="tabular">
        {(data?.rows ?? []).map(({ role, name, shown, accounts }) => (
          <tr key={role}>
            <th scope="row">{roleWord(t, role, name)}</th>
            <td>{shown}</td>
            <td>{accounts}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
