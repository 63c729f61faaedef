/**
 * The two trays of the navbar, loaded as their own chunk: notifications, and the jobs this person
 * started.
 */
import './notifications.css'
import { Button, PopoverNext } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { hasText, i18n, translate } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { useStore } from '#client/base/store.ts'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { listJobs } from '#shared/jobs/jobs-api.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { listNotifications, readNotifications } from '#shared/announcements/notifications-api.ts'
import { NOTIFICATION_CHANGED } from '#shared/announcements/announcements-live.ts'
import { SOUND_KINDS, type SoundKind } from '#shared/preferences/preference-sets.ts'
import { closePanel, openPanel, panelStore } from '#client/screen/panel-store.ts'
import { currentPreferences } from '#client/base/preferences.ts'
import { playSound } from '#client/base/sound.ts'
import { unreadStore } from '#client/live/unread.ts'
import {
  type Announcement,
  AnnouncementDialog,
  AnnouncementPopUp,
  AnnouncementRows,
  isUnread,
  useAnnouncements,
} from './Announcements.tsx'
import { JobRows } from './JobRows.tsx'
import { usePages } from './use-pages.ts'

type Notification = DataOf<typeof listNotifications>['rows'][number]

export function NotificationTrays() {
  return (
    <>
      <Jobs />
      <News />
    </>
  )
}

/**
 * Whether the page already shows the target of a notification: the same screen and, on the page of
 * a record, the same record.
 */
function isHere(route: string): boolean {
  const { pathname, searchParams } = new URL(route, window.location.origin)
  const here = new URLSearchParams(window.location.search)
  return (
    pathname === window.location.pathname &&
    [...searchParams].every(([name, value]) => !name.endsWith('Id') || here.get(name) === value)
  )
}

/** A button of the navbar with its popover. */
function Tray({
  panel,
  icon,
  label,
  count,
  children,
}: {
  panel: 'notifications' | 'jobs'
  icon: 'notifications' | 'projects'
  label: string
  count: number
  children: ReactNode
}) {
  const open = useStore(panelStore) === panel
  return (
    <PopoverNext
      placement="bottom-end"
      isOpen={open}
      onInteraction={(next) => (next ? openPanel(panel) : closePanel())}
      content={
        <section ref={focusOpened} className="tray" aria-label={label} tabIndex={-1}>
          {children}
        </section>
      }
      renderTarget={({ isOpen, ref, ...target }) => (
        <Button
          {...target}
          ref={ref as React.Ref<HTMLButtonElement>}
          variant="minimal"
          icon={icon}
          active={isOpen}
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          title={label}
        >
          {count > 0 ? (
            <span className="tray-count tabular">{count > 99 ? '99+' : count}</span>
          ) : null}
        </Button>
      )}
    />
  )
}

/** Loads older entries, at the end of the list. */
function More({
  pages,
}: {
  pages: { hasMore: boolean; isReading: boolean; readMore: () => void }
}) {
  const t = useText('notifications')
  return pages.hasMore ? (
    <Button
      className="tray-more"
      variant="minimal"
      size="small"
      text={t('more')}
      loading={pages.isReading}
      onClick={pages.readMore}
    />
  ) : null
}

function News() {
  const t = useText('notifications')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [kind, setKind] = useState<SoundKind | ''>('')
  const [onlyUnread, setOnlyUnread] = useState(false)
  const again = () => client.invalidateQueries({ queryKey: queryKeyOf(listNotifications) })
  const counted = useQuery(
    queryOf(listNotifications, { pageSize: 10, unread: true }, { quiet: true }),
  )
  const notifications = usePages(
    listNotifications,
    { ...(kind && { kind }), ...(onlyUnread && { unread: true }) },
    useStore(panelStore) === 'notifications',
  )
  const textOf = useNotificationText(notifications.rows ?? [])
  const announcements = useAnnouncements()
  const [reading, setReading] = useState<Announcement | null>(null)
  const shown = onlyUnread ? announcements.rows.filter(isUnread) : announcements.rows
  const unread = counted.data?.unread ?? 0
  const count = unread + announcements.unread
  useEffect(() => unreadStore.set(count), [count])

  useLive([NOTIFICATION_CHANGED.type], (events) => {
    void again()
    for (const { data: came } of events) {
      if (came.kind === 'read') continue
      // no toast for a person who is on the target page, because that screen shows the change
      // itself
      if (!isHere(String(came.route)))
        void showToast(String(came.titleKey), came.params as Record<string, string | number>)
      if (currentPreferences().sounds[came.kind as SoundKind]) playSound(came.kind as SoundKind)
    }
  })

  async function read(input: { ids: string[] } | { all: true }) {
    await call(readNotifications, input, { quiet: true }).catch(() => undefined)
    await again()
  }

  return (
    <>
      <Tray panel="notifications" icon="notifications" label={t('title', { count })} count={count}>
        <header className="tray-head">
          <h2>{t('heading')}</h2>
          <select
            aria-label={t('kind')}
            value={kind}
            onChange={(event) => setKind(event.target.value as SoundKind | '')}
          >
            <option value="">{t('all')}</option>
            {SOUND_KINDS.map((one) => (
              <option key={one} value={one}>
                {t(`kinds.${one}`)}
              </option>
            ))}
          </select>
          <label className="tray-switch">
            <input
              type="checkbox"
              checked={onlyUnread}
              onChange={(event) => setOnlyUnread(event.target.checked)}
            />
            {t('onlyUnread')}
          </label>
          <Button
            variant="minimal"
            size="small"
            text={t('readAll')}
            disabled={unread === 0}
            onClick={() => void read({ all: true })}
          />
        </header>
        {shown.length > 0 && kind === '' ? (
          <AnnouncementRows
            rows={shown}
            onOpen={(row) => {
              closePanel()
              setReading(row)
            }}
          />
        ) : null}
        {notifications.error ? (
          <ErrorPane error={notifications.error} onRetry={notifications.readAgain} />
        ) : null}
        {notifications.rows?.length === 0 ? (
          <p className="tray-none">{t(onlyUnread ? 'allRead' : 'none')}</p>
        ) : null}
        <ul className="tray-list">
          {notifications.rows?.map((row) => (
            <li key={row.notificationId}>
              <button
                type="button"
                className="tray-row"
                data-unread={row.readTime === null || undefined}
                onClick={() => {
                  if (row.readTime === null) void read({ ids: [row.notificationId] })
                  closePanel()
                  if (row.route) navigate(row.route)
                }}
              >
                <span>
                  {row.readTime === null ? (
                    <span className="visually-hidden">{t('unread')} </span>
                  ) : null}
                  {textOf(row)}
                </span>
                <span className="tray-note">
                  {SOUND_KINDS.includes(row.kind as SoundKind)
                    ? t(`kinds.${row.kind as SoundKind}`)
                    : row.kind}{' '}
                  · <IstTime value={row.time} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        <More pages={notifications} />
      </Tray>
      <AnnouncementPopUp rows={announcements.rows} />
      {reading === null ? null : (
        <AnnouncementDialog row={reading} more={0} onClose={() => setReading(null)} />
      )}
    </>
  )
}

/** Titles of notifications are texts of the features that write them. */
function useNotificationText(rows: readonly Notification[]): (row: Notification) => string {
  const t = useText('notifications', ...new Set(rows.map((row) => namespaceOf(row.titleKey))))
  return (row) => (hasText(row.titleKey) ? t(row.titleKey, row.params) : row.titleKey)
}

async function showToast(titleKey: string, params: Record<string, string | number>): Promise<void> {
  await i18n.loadNamespaces(namespaceOf(titleKey))
  if (hasText(titleKey))
    await showMessage({
      intent: 'primary',
      message: translate(titleKey, params),
      key: titleKey,
    })
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf(':'))) || 'notifications'
}

function Jobs() {
  const t = useText('notifications')
  const client = useQueryClient()
  const isOpen = useStore(panelStore) === 'jobs'
  const again = () => client.invalidateQueries({ queryKey: queryKeyOf(listJobs) })
  const running = useQuery(queryOf(listJobs, { pageSize: 10, state: 'running' }, { quiet: true }))
  const jobs = usePages(listJobs, {}, isOpen)
  useLive([JOB_CHANGED.type], () => void again())
  const at = running.data?.total ?? 0

  return (
    <Tray panel="jobs" icon="projects" label={t('jobs.title', { count: at })} count={at}>
      <header className="tray-head">
        <h2>{t('jobs.heading')}</h2>
      </header>
      {jobs.error ? <ErrorPane error={jobs.error} onRetry={jobs.readAgain} /> : null}
      {jobs.rows?.length === 0 ? <p className="tray-none">{t('jobs.none')}</p> : null}
      <JobRows rows={jobs.rows ?? []} />
      <More pages={jobs} />
    </Tray>
  )
}
