/** Tab changes made by the tab menu; loaded with it. */
import { AFFIXED, moveTab, type Tabs } from '#client/screen/tabs.ts'

export function closeOthers(tabs: Tabs, key: string): Tabs {
  return tabs.filter((tab) => tab.key === key || tab.key === AFFIXED)
}

export function closeAll(tabs: Tabs): Tabs {
  return tabs.filter((tab) => tab.key === AFFIXED)
}

/** One place to the left or right; the same list at either end. */
export function shiftTab(tabs: Tabs, key: string, step: 1 | -1): Tabs {
  const at = tabs.findIndex((tab) => tab.key === key)
  const to = at + step
  if (at < 1 || to < 1 || to >= tabs.length) return tabs
  return moveTab(tabs, key, (step < 0 ? tabs[to] : tabs[to + 1])?.key ?? null)
}
