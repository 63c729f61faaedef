/** The menu of a tab; loads with its first use. */
import { Menu, MenuItem, showContextMenu } from '@blueprintjs/core'
import { translate } from '#client/base/i18n.ts'
import { closeAll, closeOthers, shiftTab } from './tab-changes.ts'
import { AFFIXED, closeTab, type Tab, type Tabs, tabsStore } from '#client/screen/tabs.ts'

interface Answers {
  onRefresh: () => void
  /** Closes all tabs except these. */
  onKeep: (after: Tabs) => void
}

export function openTabMenu(
  tabs: Tabs,
  tab: Tab,
  at: { left: number; top: number },
  { onRefresh, onKeep }: Answers,
): void {
  showContextMenu({
    targetOffset: at,
    content: (
      <Menu className="tab-menu">
        <MenuItem text={translate('shell:tabs.refresh')} onClick={onRefresh} />
        {([-1, 1] as const).map((step) => (
          <MenuItem
            key={step}
            text={translate(step < 0 ? 'shell:tabs.moveLeft' : 'shell:tabs.moveRight')}
            disabled={shiftTab(tabs, tab.key, step) === tabs}
            onClick={() => tabsStore.set((all) => shiftTab(all, tab.key, step))}
          />
        ))}
        <MenuItem
          text={translate('shell:tabs.close')}
          disabled={tab.key === AFFIXED}
          onClick={() => onKeep(closeTab(tabs, tab.key))}
        />
        <MenuItem
          text={translate('shell:tabs.closeOthers')}
          onClick={() => onKeep(closeOthers(tabs, tab.key))}
        />
        <MenuItem text={translate('shell:tabs.closeAll')} onClick={() => onKeep(closeAll(tabs))} />
      </Menu>
    ),
  })
}
