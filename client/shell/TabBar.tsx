/** The visited views and their actions. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { type RouteTable, viewOf } from '#client/session/routes.ts'
import { useStore } from '#client/base/store.ts'
import { hasUnsaved } from '#client/ui/form/unsaved.ts'
import {
  addressOf,
  closeTab,
  moveTab,
  nextAfterClose,
  type Tab,
  type Tabs,
  tabsStore,
} from '#client/screen/tabs.ts'
import { TabItem } from './TabItem.tsx'
import { useViewTitle } from './view-title.ts'

const LeaveQuestion = lazyPart(() =>
  import('./LeaveQuestion.tsx').then((m) => ({ default: m.LeaveQuestion })),
)

export function TabBar({ table, active }: { table: RouteTable; active: string | null }) {
  const t = useText('shell')
  const [, navigate] = useLocation()
  const titleOf = useViewTitle()
  const tabs = useStore(tabsStore)
  /** The close that waits for the answer about unsaved input. */
  const [closing, setClosing] = useState<(() => void) | null>(null)

  /**
   * Leaves the active view when it is among the closed ones; asks first when it has unsaved input.
   */
  function keep(after: Tabs) {
    const leaves = active !== null && !after.some((tab) => tab.key === active)
    const close = () => {
      tabsStore.set(after)
      if (leaves) navigate(addressOf(nextAfterClose(after)))
    }
    if (leaves && hasUnsaved()) setClosing(() => close)
    else close()
  }

  function refresh(tab: Tab) {
    const go = () => navigate(`/redirect${addressOf(tab)}`)
    if (tab.key === active && hasUnsaved()) setClosing(() => go)
    else go()
  }

  function openMenu(tab: Tab, at: { left: number; top: number }) {
    void import('./tab-menu.tsx').then(({ openTabMenu }) =>
      openTabMenu(tabs, tab, at, { onRefresh: () => refresh(tab), onKeep: keep }),
    )
  }

  return (
    <nav className="tabs" aria-label={t('tabs.label')}>
      <ul>
        {tabs.map((tab) => {
          const view = viewOf(table, tab.path, tab.search)
          // A menu that was removed leaves no tab behind.
          if (view.tab === null) return null
          return (
            <TabItem
              key={tab.key}
              tab={tab}
              title={titleOf(view)}
              isActive={tab.key === active}
              onClose={() => keep(closeTab(tabs, tab.key))}
              onMenu={(at) => openMenu(tab, at)}
              onDrop={(key, isAfter) =>
                tabsStore.set((all) =>
                  moveTab(
                    all,
                    key,
                    isAfter
                      ? (all[all.findIndex((one) => one.key === tab.key) + 1]?.key ?? null)
                      : tab.key,
                  ),
                )
              }
            />
          )
        })}
      </ul>
      {closing ? (
        <LeaveQuestion
          onStay={() => setClosing(null)}
          onLeave={() => {
            setClosing(null)
            closing()
          }}
        />
      ) : null}
    </nav>
  )
}
