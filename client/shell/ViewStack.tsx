/** Shows the view of the current address and keeps the last visited ones mounted but hidden. */
import { Activity, type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { useLocation } from 'wouter'
import { registeredScreens } from '#client/base/screens.ts'
import { useText } from '#client/base/use-text.ts'
import { type RouteTable, type View, viewOf } from '#client/session/routes.ts'
import { useStore } from '#client/base/store.ts'
import { PageContext, type PageInfo } from '#client/session/page.tsx'
import { LeaveKey } from '#client/screen/LeaveKey.tsx'
import { screenElement } from './load-screen.ts'
import { PaneBoundary } from './PaneBoundary.tsx'
import { aliveKeys, refreshTab, type Tab, tabsStore } from '#client/screen/tabs.ts'
import { ViewRouter } from './view-router.tsx'

const NO_CODES: readonly string[] = []

export function ViewStack({ table, view }: { table: RouteTable; view: View }) {
  const tabs = useStore(tabsStore)
  const [, navigate] = useLocation()
  const views = new Map(tabs.map((tab) => [tab.key, viewOf(table, tab.path, tab.search)]))
  if (view.tab !== null) views.set(view.tab, view)
  const alive = aliveKeys(tabs, view.tab, (key) => {
    const kept = views.get(key)
    return (
      kept?.kind === 'detail' ||
      kept?.kind === 'constant' ||
      (kept?.kind === 'menu' && !kept.page.noCache)
    )
  })
  const { statusPages } = registeredScreens()
  const statusPage =
    view.kind === 'not-permitted'
      ? statusPages.notPermitted
      : view.kind === 'not-found' || view.kind === 'unbuilt'
        ? statusPages.notFound
        : null
  const go = view.kind === 'go' ? view.to : null
  const refresh = view.kind === 'refresh' ? view.to : null

  useEffect(() => {
    if (go !== null) navigate(go, { replace: true })
    if (refresh === null) return
    const [path = '/', query] = refresh.split('?')
    const target = viewOf(table, path, query ? `?${query}` : '')
    const { tab } = target
    if (tab !== null) tabsStore.set((all) => refreshTab(all, tab))
    navigate(tab === null ? '/home_page' : refresh, { replace: true })
  }, [go, refresh, navigate, table])

  return (
    <>
      {/* Sorted, so that a change of the active view does not move nodes in the document. */}
      {alive.toSorted().map((key) => {
        const tab = tabs.find((t) => t.key === key)
        const own = views.get(key)
        if (own?.kind !== 'menu' && own?.kind !== 'detail' && own?.kind !== 'constant') return null
        return (
          <Activity
            key={`${key} ${tab?.generation ?? 0}`}
            mode={key === view.tab ? 'visible' : 'hidden'}
          >
            <ViewRouter left={key === view.tab || !tab ? null : tab}>
              <ViewPane view={own} tab={tab} />
            </ViewRouter>
          </Activity>
        )
      })}
      {statusPage ? screenElement(statusPage, ViewLoading) : null}
    </>
  )
}

function ViewPane({
  view,
  tab,
}: {
  view: Extract<View, { kind: 'menu' | 'detail' | 'constant' }>
  tab: Tab | undefined
}) {
  const menu = view.kind === 'menu' ? view.page.name : view.kind === 'detail' ? view.menu : null
  const path = view.kind === 'menu' ? view.page.path : view.path
  const codes =
    view.kind === 'menu'
      ? view.page.btnPermissions
      : view.kind === 'detail'
        ? view.btnPermissions
        : NO_CODES
  const info = useMemo<PageInfo>(
    () => ({ menu, path, tab: view.tab, btnPermissions: codes }),
    [menu, path, view.tab, codes],
  )
  return (
    <div className="view" data-tab={tab?.key}>
      <PaneBoundary>
        <PageContext value={info}>
          {view.kind === 'detail' ? (
            <LeaveKey list={view.route.menus[0] ?? 'home_page'} />
          ) : view.kind === 'menu' && view.page.hidden ? (
            <LeaveKey />
          ) : null}
          <Suspense fallback={<ViewLoading />}>
            {screenElement(view.kind === 'menu' ? view.load : view.route.load, ViewLoading)}
          </Suspense>
        </PageContext>
      </PaneBoundary>
    </div>
  )
}

function ViewLoading(): ReactNode {
  const t = useText('session')
  return (
    <div className="view-loading" role="status">
      <span className="visually-hidden">{t('loading')}</span>
    </div>
  )
}
