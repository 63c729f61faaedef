import './detail-tabs.css'
import { Tab, Tabs } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'

export interface DetailTab {
  id: string
  title: string
  /** How many things it shows, where that is known. */
  count?: number
  panel: () => ReactNode
}

/** Tabs of a detail page; the chosen one is in the address, `first` where that has none. */
export function DetailTabs({
  id,
  className = '',
  tabs,
  first = tabs[0]?.id ?? '',
}: {
  id: string
  className?: string
  tabs: readonly DetailTab[]
  first?: string
}): ReactNode {
  const [params, setParams] = useSearchParams()
  const chosen = tabs.find((tab) => tab.id === params.get('tab'))?.id ?? first
  function choose(tab: string): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('tab', tab)
        return next
      },
      { replace: true },
    )
  }
  return (
    <div className={`detail-tabs ${className}`}>
      <Tabs
        id={id}
        selectedTabId={chosen}
        onChange={(tab) => choose(String(tab))}
        renderActiveTabPanelOnly
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            title={tab.title}
            tagContent={tab.count || undefined}
            tagProps={{ minimal: true, round: true }}
            panel={<div className="detail-panel">{tab.id === chosen ? tab.panel() : null}</div>}
          />
        ))}
      </Tabs>
    </div>
  )
}
