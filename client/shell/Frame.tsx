/** The frame around the screens: sidebar, navbar, tab bar and shared parts. */
import { OverlaysProvider } from '@blueprintjs/core'
import i18next from 'i18next'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { registeredScreens } from '#client/base/screens.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { type RouteTable, viewOf } from '#client/session/routes.ts'
import { useStore } from '#client/base/store.ts'
import { AccountOverlays } from '#client/features/session/public.tsx'
import { useSocket } from '#client/live/use-socket.ts'
import { messageOf } from '#client/session/call-error.ts'
import { loadMessages } from '#client/session/messages.ts'
import { featuresOf } from '#client/session/server-text.ts'
import { queryClient } from '#client/session/query.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import { sessionStore, useSession } from '#client/session/session-store.ts'
import { setFailureText } from '#client/ui/feedback/failure.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { countryName } from './country.ts'
import { LiveRegions } from './LiveRegions.tsx'
import { Navbar } from './Navbar.tsx'
import { NewVersionBar } from './NewVersionBar.tsx'
import { PaneBoundary } from './PaneBoundary.tsx'
import { Panels } from './Panels.tsx'
import { keepReleasesAtHome } from './key-release.ts'
import { loadGroupsAhead } from './load-screen.ts'
import { closePanel } from '#client/screen/panel-store.ts'
import { usePreferences } from '#client/base/preferences.ts'
import { forgetRecents, noteRecent } from './recents.ts'
import { listenForShortcuts } from '#client/ui/frame/shortcuts.ts'
import { Sidebar } from './Sidebar.tsx'
import { TabBar } from './TabBar.tsx'
import { forgetTabs, keepTabs, tabsStore, visitTab } from '#client/screen/tabs.ts'
import { unreadStore } from '#client/live/unread.ts'
import { useServerTime } from './use-clock.ts'
import { useFrameWatch } from './use-frame-watch.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ViewStack } from './ViewStack.tsx'

const FrameShortcuts = lazyPart(() =>
  import('./FrameShortcuts.tsx').then((m) => ({ default: m.FrameShortcuts })),
)

// Data read by one user must not be available to the next.
onSessionEnd((end) => {
  if (sessionStore.get().status === 'ready') return
  queryClient.clear()
  closePanel()
  if (end.remember) return
  forgetTabs()
  forgetRecents()
})
setFailureText(messageOf)
// In a locale file `{{amount, paise}}` formats an amount given in paise; the login needs no
// amounts.
i18next.services.formatter?.add('paise', (value: unknown) => formatPaise(Number(value)))

const SOON_MS = 1_500

export function Frame() {
  // Loaded early, but after the first screen: what says that a call got no answer must not depend
  // on a chunk that a lost connection cannot load.
  useEffect(() => {
    const timer = setTimeout(() => {
      void loadMessages()
      void import('#client/screen/BulkDrawer.tsx').catch(() => {})
      // Nearly every screen is a list, so the grid's chunk loads before the first one opens.
      void import('#client/ui/grid/DataGrid.tsx').catch(() => {})
      void loadGroupsAhead()
    }, SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <OverlaysProvider>
        {/* an error of the frame itself; those of a view are caught there */}
        <PaneBoundary reloads>
          <Suspense fallback={null}>
            <Inside />
          </Suspense>
        </PaneBoundary>
      </OverlaysProvider>
    </QueryClientProvider>
  )
}

function Inside() {
  const t = useText('shell')
  const language = useLanguage()
  const { user, index } = useSession()
  const [path] = useLocation()
  const query = useSearch()
  const search = query && `?${query}`
  const { sidebarOpen, tagsView, fixedHeader, sidebarLogo } = usePreferences()
  const narrow = useMedia('(max-width: 991.98px)')
  const wide = useMedia('(min-width: 1440px)')
  /** Address on which the drawer was opened: leaving it closes the drawer. */
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const table: RouteTable = { index, ...registeredScreens() }
  const view = viewOf(table, path, search)
  const isBare = view.kind === 'detail' && view.route.bare === true
  const isRecord = view.kind === 'detail' || (view.kind === 'menu' && view.page.hidden)
  const open = narrow ? drawerAt === path + search : (sidebarOpen ?? wide)

  useServerTime()
  useFrameWatch(user)
  useSocket(announce)
  useEffect(() => {
    // who signs in after somebody else may have screens that are loaded, and texts that are not
    void i18next.loadNamespaces(featuresOf(index))
  }, [index])
  useEffect(() => keepTabs(user.userId), [user.userId])
  useEffect(() => listenForShortcuts(), [])
  useEffect(() => keepReleasesAtHome(), [])
  useEffect(() => {
    const key = view.tab
    if (key === null || isBare) return
    tabsStore.set((tabs) => visitTab(tabs, { key, path, search }, isRecord))
    noteRecent(user.userId, { key, path, search })
  }, [view.tab, isBare, isRecord, path, search, user.userId])
  const unread = useStore(unreadStore)
  useEffect(() => {
    const name = countryName(user.country, language)
    document.title = unread === 0 ? name : `(${unread}) ${name}`
    return () => {
      document.title = name
    }
  }, [user.country, language, unread])

  return (
    <div
      className="frame"
      data-sidebar={isBare ? 'none' : narrow ? (open ? 'drawer' : 'none') : open ? 'open' : 'rail'}
      data-header={fixedHeader ? 'fixed' : 'scrolls'}
      data-tabs={tagsView && !isBare ? 'on' : 'off'}
    >
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {isBare ? null : (
        <Sidebar
          mode={narrow ? 'drawer' : open ? 'open' : 'rail'}
          shown={!narrow || open}
          logo={sidebarLogo}
          onClose={() => setDrawerAt(null)}
        />
      )}
      <div className="frame-main" inert={narrow && open}>
        {isBare ? null : (
          <Navbar
            view={view}
            sidebarOpen={open}
            narrow={narrow}
            onOpenDrawer={() => setDrawerAt(path + search)}
          />
        )}
        {tagsView && !isBare ? <TabBar table={table} active={view.tab} /> : null}
        <NewVersionBar />
        <ConnectionBanner />
        <main id="content" className="frame-content" tabIndex={-1}>
          <ViewStack table={table} view={view} />
        </main>
      </div>
      <LiveRegions />
      <AccountOverlays />
      <FrameShortcuts active={view.tab} />
      <Panels />
    </div>
  )
}
