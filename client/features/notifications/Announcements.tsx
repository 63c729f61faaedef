/** Announcements: those to read in the tray, and those that pop up by their condition. */
import './notifications.css'
import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { useSessionState } from '#client/session/session-store.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { LinkedText } from '#client/ui/value/LinkedText.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { myAnnouncements, announcementShown } from '#shared/announcements/announcements-api.ts'
import { linkParts } from '#shared/announcements/announcement-links.ts'
import {
  ANNOUNCEMENT_PUBLISHED,
  ANNOUNCEMENT_WITHDRAWN,
} from '#shared/announcements/announcements-live.ts'
import { hasOverlay } from '#client/ui/frame/overlay.ts'

export type Announcement = DataOf<typeof myAnnouncements>['rows'][number]

const MINE = queryOf(myAnnouncements, {}, { quiet: true })
/** An open form stays in front; the announcement pops up after it is closed. */
const LOOK_MS = 1_000

/**
 * @returns the announcements to read, newest first; unread = published since this person was last
 * shown it
 */
export function useAnnouncements(): { rows: readonly Announcement[]; unread: number } {
  const client = useQueryClient()
  const { data } = useQuery(MINE)
  useLive(
    [ANNOUNCEMENT_PUBLISHED.type, ANNOUNCEMENT_WITHDRAWN.type],
    () => void client.invalidateQueries({ queryKey: queryKeyOf(myAnnouncements) }),
  )
  const rows = data?.rows ?? []
  return { rows, unread: rows.filter(isUnread).length }
}

export function isUnread(row: Announcement): boolean {
  return row.readTime === null || Date.parse(row.readTime) < Date.parse(row.publishTime)
}

export function AnnouncementRows({
  rows,
  onOpen,
}: {
  rows: readonly Announcement[]
  onOpen: (row: Announcement) => void
}) {
  const t = useText('notifications')
  return (
    <ul className="tray-list is-announcements" aria-label={t('announcements.title')}>
      {rows.map((row) => (
        <li key={row.noticeId}>
          <button
            type="button"
            className="tray-row"
            data-unread={isUnread(row) || undefined}
            onClick={() => onOpen(row)}
          >
            <span>
              {isUnread(row) ? <span className="visually-hidden">{t('unread')} </span> : null}
              {row.title}
            </span>
            <span className="tray-note">
              {t('announcements.one')} · <IstTime value={row.publishTime} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** One announcement in a dialog. Opening it counts as an exposure. */
export function AnnouncementDialog({
  row,
  more,
  onClose,
}: {
  row: Announcement
  more: number
  onClose: () => void
}) {
  const t = useText('notifications')
  const client = useQueryClient()
  const titleId = useId()
  useEffect(() => {
    void call(announcementShown, { noticeId: row.noticeId }, { quiet: true }).then(
      () => client.invalidateQueries({ queryKey: queryKeyOf(myAnnouncements) }),
      () => undefined,
    )
  }, [row.noticeId, client])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      aria-labelledby={titleId}
      className="announcement"
      canOutsideClickClose={false}
    >
      <OverlayHead id={titleId} title={row.title} onClose={onClose} />
      <DialogBody>
        <p className="tray-note">
          {t('announcements.published')} <IstTime value={row.publishTime} />
        </p>
        <LinkedText parts={linkParts(row.content)} />
      </DialogBody>
      <DialogFooter
        actions={
          <Button
            autoFocus
            intent="primary"
            text={
              more > 0 ? t('announcements.next', { count: more }) : t('announcements.understood')
            }
            onClick={onClose}
          />
        }
      />
    </Dialog>
  )
}

/** Announcements that pop up by their condition, one after the other. */
export function AnnouncementPopUp({ rows }: { rows: readonly Announcement[] }) {
  /**
   * Announcements already shown on this page, because the exposure call may not have been answered
   * yet.
   */
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<Announcement | null>(null)
  const session = useSessionState()
  const isAway = session.status !== 'ready' || session.lapsed !== null
  const waiting = rows.filter((row) => row.popup && !shown.has(keyOf(row)))
  const next = waiting.at(-1) ?? null
  // an announcement withdrawn while open is closed
  const standing = open !== null && rows.some((row) => row.noticeId === open.noticeId) ? open : null
  const isFree = standing === null
  useEffect(() => {
    if (!isFree || next === null || isAway) return
    const show = () => {
      if (hasOverlay()) return
      setShown((now) => new Set(now).add(keyOf(next)))
      setOpen(next)
    }
    show()
    const timer = setInterval(show, LOOK_MS)
    return () => clearInterval(timer)
  }, [isFree, next, isAway])
  return standing === null ? null : (
    <AnnouncementDialog
      key={keyOf(standing)}
      row={standing}
      more={waiting.length}
      onClose={() => setOpen(null)}
    />
  )
}

function keyOf(row: Announcement): string {
  return `${row.noticeId} ${row.publishTime}`
}
