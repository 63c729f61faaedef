/** Customer search and, on a second tab, the blacklist. The tab is stored in the URL. */
import '../customers.css'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { BlacklistTab } from './BlacklistTab.tsx'
import { CustomersTab } from './CustomersTab.tsx'

const TABS = ['customers', 'blacklist'] as const
type Tab = (typeof TABS)[number]

export function Screen(): ReactNode {
  const t = useCustomerText()
  const [params, setParams] = useSearchParams()
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'customers'
  // the filters of one list mean nothing, or something else, in the other
  const show = (next: Tab) => setParams(next === 'customers' ? {} : { tab: next })
  const tabs = (
    <Segmented
      label={t('listTab.label')}
      value={tab}
      segments={TABS.map((value) => ({ value, label: t(`listTab.${value}`) }))}
      onChange={show}
    />
  )
  return (
    <div className="customer-list">
      <h1 className="visually-hidden">{t('menu.customer_list')}</h1>
      {tab === 'customers' ? <CustomersTab tabs={tabs} /> : <BlacklistTab tabs={tabs} />}
    </div>
  )
}
