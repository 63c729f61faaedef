/** Sections of a customer that the role may see, as tabs. */
import type { ReactNode } from 'react'
import { GrantsOf, useSeesCoupons } from '#client/features/coupons/public.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { DetailTabs } from '#client/screen/detail/DetailTabs.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import { PhotosTab } from './PhotosTab.tsx'
import { ProfileTab } from './ProfileTab.tsx'
import { BlacklistEntriesTab } from './records/BlacklistEntriesTab.tsx'
import { CasesTab } from './records/CasesTab.tsx'
import { MessagesTab } from './records/MessagesTab.tsx'
import { MoneyTab } from './records/MoneyTab.tsx'
import { OrdersTab } from './records/OrdersTab.tsx'
import { ReviewTab } from './records/ReviewTab.tsx'
import { TicketsTab } from './records/TicketsTab.tsx'
import { TimelineTab } from './records/TimelineTab.tsx'

/** Tab → the sections it shows; at least one must be visible. Coupons come from a list of their own. */
const TABS = {
  profile: ['basic'],
  photos: ['photos'],
  orders: ['orders'],
  money: ['plans', 'records'],
  review: ['review'],
  coupons: [],
  cases: ['cases'],
  tickets: ['tickets'],
  blacklist: ['blacklist'],
  messages: ['messages'],
  timeline: ['timeline'],
} as const satisfies Record<string, readonly CustomerSection[]>
type TabId = keyof typeof TABS
const TAB_IDS = Object.keys(TABS) as TabId[]

export function CustomerTabs({
  detail,
  onEndBlacklist,
}: {
  detail: CustomerDetail
  onEndBlacklist: (entry: { blackId: string; userName: string }) => void
}): ReactNode {
  const t = useCustomerText()
  const { userId } = detail
  const seesCoupons = useSeesCoupons()
  const tabs = TAB_IDS.filter((tab) =>
    tab === 'coupons' ? seesCoupons : TABS[tab].some((section) => detail.granted.includes(section)),
  )
  const panels: Record<TabId, () => ReactNode> = {
    profile: () => <ProfileTab detail={detail} />,
    photos: () => <PhotosTab detail={detail} />,
    orders: () => <OrdersTab userId={userId} />,
    money: () => <MoneyTab userId={userId} />,
    review: () => <ReviewTab userId={userId} />,
    coupons: () => <GrantsOf userId={userId} />,
    cases: () => <CasesTab userId={userId} />,
    tickets: () => <TicketsTab userId={userId} />,
    blacklist: () => <BlacklistEntriesTab userId={userId} onEnd={onEndBlacklist} />,
    messages: () => <MessagesTab userId={userId} />,
    timeline: () => <TimelineTab userId={userId} />,
  }
  return (
    <DetailTabs
      id={`customer-${userId}`}
      className="customer-tabs"
      tabs={tabs.map((tab) => ({ id: tab, title: t(`tab.${tab}`), panel: panels[tab] }))}
    />
  )
}
