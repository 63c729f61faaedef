/** Announcements of the company: those to be read in the tray, those that stand in the middle of the screen by their condition. */
import './news.css'
import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { useSessionState } from '#client/session/session-store.ts'
import { IstTime } from '#client/ui/IstTime.tsx'
import { LinkedText } from '#client/ui/LinkedText.tsx'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { myNotices, noticeShown } from '#shared/notices/announcements-api.ts'
import { linkParts } from '#shared/notices/notice-links.ts'
import { NOTICE_PUBLISHED, NOTICE_WITHDRAWN } from '#shared/notices/notices-live.ts'
import { hasOverlay } from '../overlay.ts'

export type Announcement = DataOf<typeof myNotices>['rows'][number]

const MINE = queryOf(myNotices, {}, { quiet: true })
/** A form somebody is in stays in front: the announcement comes when it is closed. */
const LOOK_MS = 1_000

/** @returns what there is to read, newest first; unread = published since this person was last shown it */
export function useAnnouncements(): { rows: readonly Announcement[]; unread: number } {
  const client = useQueryClient()
  const { data } = useQuery(MINE)
  useLive(
    [NOTICE_PUBLISHED.type, NOTICE_WITHDRAWN.type],
    () => void client.invalidateQueries({ queryKey: queryKeyOf(myNotices) }),
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
  const { t } = useTranslation('news')
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

/** One announcement in front of everything. Opening it counts as shown. */
export function AnnouncementDialog({
  row,
  more,
  onClose,
}: {
  row: Announcement
  more: number
  onClose: () => void
}) {
  const { t } = useTranslation('news')
  const client = useQueryClient()
  const titleId = useId()
  useEffect(() => {
    void call(noticeShown, { noticeId: row.noticeId }, { quiet: true }).then(
      () => client.invalidateQueries({ queryKey: queryKeyOf(myNotices) }),
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

/** What pops up by its condition, one after the other. */
export function AnnouncementPopUp({ rows }: { rows: readonly Announcement[] }) {
  /** Publications shown on this page; the answer that says so may still be on its way. */
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<Announcement | null>(null)
  const session = useSessionState()
  const isAway = session.status !== 'ready' || session.lapsed !== null
  const waiting = rows.filter((row) => row.popup && !shown.has(keyOf(row)))
  const next = waiting.at(-1) ?? null
  // what is taken back while it stands there goes
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
