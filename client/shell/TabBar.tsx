/** The visited views. Middle click or Delete closes; right click or the menu key opens what can be done. */
import { Icon, Menu, MenuItem, showContextMenu } from '@blueprintjs/core'
import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { type RouteTable, viewOf } from '#client/app/routes.ts'
import { useStore } from '#client/app/store.ts'
import { hasUnsaved } from '#client/ui/unsaved.ts'
import { addressOf, AFFIXED, closeAll, closeOthers, closeTab, nextAfterClose, type Tab, type Tabs, tabsStore } from './tabs.ts'
import { useViewTitle } from './view-title.ts'

const LeaveQuestion = lazy(() => import('./LeaveQuestion.tsx').then((m) => ({ default: m.LeaveQuestion })))

export function TabBar({ table, active }: { table: RouteTable; active: string | null }) {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const titleOf = useViewTitle()
  const tabs = useStore(tabsStore)
  const list = useRef<HTMLUListElement>(null)
  /** What waits for the answer about unsaved input. */
  const [asked, setAsked] = useState<(() => void) | null>(null)

  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active, tabs.length])

  /** Leaves the active view when it is among the closed ones; asks first when it holds unsaved input. */
  function keep(after: Tabs) {
    const leaves = active !== null && !after.some((tab) => tab.key === active)
    const close = () => {
      tabsStore.set(after)
      if (leaves) navigate(addressOf(nextAfterClose(after)))
    }
    if (leaves && hasUnsaved()) setAsked(() => close)
    else close()
  }

  function refresh(tab: Tab) {
    const go = () => navigate(`/redirect${addressOf(tab)}`)
    if (tab.key === active && hasUnsaved()) setAsked(() => go)
    else go()
  }

  function openMenu(tab: Tab, at: { left: number; top: number }) {
    showContextMenu({
      targetOffset: at,
      content: (
        <Menu className="tab-menu">
          <MenuItem text={t('tabs.refresh')} onClick={() => refresh(tab)} />
          <MenuItem text={t('tabs.close')} disabled={tab.key === AFFIXED} onClick={() => keep(closeTab(tabs, tab.key))} />
          <MenuItem text={t('tabs.closeOthers')} onClick={() => keep(closeOthers(tabs, tab.key))} />
          <MenuItem text={t('tabs.closeAll')} onClick={() => keep(closeAll(tabs))} />
        </Menu>
      ),
    })
  }

  function onKeyDown(event: KeyboardEvent, tab: Tab) {
    if (event.key === 'Delete') keep(closeTab(tabs, tab.key))
    if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    openMenu(tab, { left: box.left, top: box.bottom })
  }

  return (
    <nav className="tabs" aria-label={t('tabs.label')}>
      <ul ref={list}>
        {tabs.map((tab) => {
          const view = viewOf(table, tab.path, tab.search)
          // A menu taken away leaves no tab behind.
          if (view.tab === null) return null
          const title = titleOf(view)
          const close = (event: MouseEvent) => {
            event.preventDefault()
            keep(closeTab(tabs, tab.key))
          }
          return (
            <li
              key={tab.key}
              className="tab"
              data-active={tab.key === active || undefined}
              onAuxClick={(event) => event.button === 1 && close(event)}
              onContextMenu={(event) => {
                event.preventDefault()
                openMenu(tab, { left: event.clientX, top: event.clientY })
              }}
            >
              <Link href={addressOf(tab)} aria-current={tab.key === active ? 'page' : undefined} onKeyDown={(event: KeyboardEvent) => onKeyDown(event, tab)} title={title}>
                {title}
              </Link>
              {tab.key === AFFIXED ? null : (
                <button type="button" aria-label={t('tabs.closeNamed', { title })} title={t('tabs.close')} onClick={close}>
                  <Icon icon="small-cross" size={14} />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {asked ? (
        <Suspense fallback={null}>
          <LeaveQuestion
            onStay={() => setAsked(null)}
            onLeave={() => {
              setAsked(null)
              asked()
            }}
          />
        </Suspense>
      ) : null}
    </nav>
  )
}
