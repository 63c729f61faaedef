import { useText } from '#client/base/use-text.ts'
import '../tickets.css'
import type { ReactNode } from 'react'
import { useSearch, useSearchParams } from 'wouter'
import { StatementTab } from '../statement/StatementTab.tsx'
import type { TicketMenu } from '../ticket-types.ts'
import { useViewer } from '../use-viewer.ts'
import { isTicketTab, type ListTab, tabOf } from './ticket-filters.ts'
import { TicketList } from './TicketList.tsx'
import { TicketTabs } from './TicketToolbar.tsx'

/** State that another tab of the screen does not share. */
const OF_A_TAB = ['page', 'sort', 'open', 'progress', 'overdue', 'dueSoon', 'processorId']

/** A ticket screen with its tab; both are in the address. */
export function TicketScreen({ menu }: { menu: TicketMenu }): ReactNode {
  const t = useText('tickets')
  const viewer = useViewer()
  const [, setQuery] = useSearchParams()
  const tab = tabOf(new URLSearchParams(useSearch()).get('tab'), menu)
  const showTab = (next: ListTab) =>
    setQuery((now) => {
      const query = new URLSearchParams(now)
      for (const name of OF_A_TAB) query.delete(name)
      query.set('tab', next)
      return query
    })
  return (
    <div className="ticket-list">
      <h1 className="visually-hidden">{t(`menu.${menu}`)}</h1>
      {isTicketTab(tab) ? (
        <TicketList key={tab} menu={menu} tab={tab} onTab={showTab} />
      ) : (
        <StatementTab
          tabs={
            <TicketTabs menu={menu} tab={tab} viewer={viewer} counts={undefined} onTab={showTab} />
          }
        />
      )}
    </div>
  )
}
