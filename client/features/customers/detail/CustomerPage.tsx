/** One customer: the header, and tabs with the sections that the role may see. */
import '#client/ui/frame/detail-tabs.css'
import '../customers.css'
import { Tab, Tabs } from '@blueprintjs/core'
import type { IconName } from '@blueprintjs/icons'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { type BlacklistRequest, BlacklistQuestions } from '../BlacklistQuestions.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { CustomerHead } from './CustomerHead.tsx'
import { PhotosTab } from './PhotosTab.tsx'
import { PROFILE_SECTIONS, ProfileTab } from './ProfileTab.tsx'
import { BlacklistEntriesTab } from './records/BlacklistEntriesTab.tsx'
import { CasesTab } from './records/CasesTab.tsx'
import { MessagesTab } from './records/MessagesTab.tsx'
import { MoneyTab } from './records/MoneyTab.tsx'
import { OrdersTab } from './records/OrdersTab.tsx'
import { ReviewTab } from './records/ReviewTab.tsx'
import { TicketsTab } from './records/TicketsTab.tsx'
import { TimelineTab } from './records/TimelineTab.tsx'
import { useCustomer, useCustomerRefetch } from './use-customer.ts'

// loads the form library
const EditContact = lazy(() =>
  import('./EditContact.tsx').then((m) => ({ default: m.EditContact })),
)

/** Tab → the sections it shows; at least one must be visible. */
const TABS = {
  profile: ['basic'],
  photos: ['photos'],
  orders: ['orders'],
  money: ['plans', 'records'],
  review: ['review'],
  cases: ['cases'],
  tickets: ['tickets'],
  blacklist: ['blacklist'],
  messages: ['messages'],
  timeline: ['timeline'],
} as const satisfies Record<string, readonly CustomerSection[]>
type TabId = keyof typeof TABS
const TAB_IDS = Object.keys(TABS) as TabId[]

export interface Leave {
  text: string
  icon: IconName
  run: () => void
}

export function CustomerPage({
  userId,
  leave,
  isWindow = false,
}: {
  userId: string
  leave: Leave
  isWindow?: boolean
}): ReactNode {
  const t = useCustomerText()
  const [params, setParams] = useSearchParams()
  const { user } = useSession()
  const { canMutate } = useConnection()
  const now = useCustomer(userId, PROFILE_SECTIONS)
  const reread = useCustomerRefetch(userId)
  const { detail } = now
  const others = useWatch('customer', detail?.userId).filter(
    (member) => member.userId !== user.userId,
  )
  const mayEdit = usePermission(['info:edit'])
  const mayBlacklist = usePermission(['customer_list:blacklist'])
  const [editing, setEditingForm] = useState(false)
  const [confirming, setConfirming] = useState<BlacklistRequest | null>(null)
  const isBusy = editing || confirming !== null
  const askBlacklist = () =>
    detail && setConfirming({ kind: 'blacklist', ids: [userId], names: [detail.name] })

  useShortcuts('screen', [
    {
      id: 'customer-back',
      code: 'Escape',
      labelKey: 'customers:keys.back',
      run: leave.run,
      when: () => !isBusy,
    },
    ...(mayEdit
      ? [
          {
            id: 'customer-edit',
            code: 'KeyE',
            labelKey: 'customers:keys.edit',
            run: () => setEditingForm(true),
            when: () => !isBusy && detail !== undefined && canMutate,
          },
        ]
      : []),
    ...(mayBlacklist
      ? [
          {
            id: 'customer-blacklist',
            code: 'KeyB',
            labelKey: 'customers:keys.blacklist',
            run: askBlacklist,
            when: () => !isBusy && detail?.blacklisted === false && canMutate,
          },
        ]
      : []),
  ])
  useEffect(() => {
    setEditing('customer', userId, isBusy)
  }, [userId, isBusy])

  if (now.error instanceof CallError && now.error.problem?.id === NOT_FOUND.id) {
    return (
      <>
        <h1 className="visually-hidden">{t('detail.missing')}</h1>
        <Empty
          icon="search"
          reason={t('detail.missing')}
          hint={userId}
          action={{ text: leave.text, onClick: leave.run }}
        />
      </>
    )
  }
  if (!detail)
    return now.error ? <ErrorPane error={now.error} onRetry={now.reread} /> : <CustomerSkeleton />
  const tabs = TAB_IDS.filter((tab) =>
    TABS[tab].some((section) => detail.granted.includes(section)),
  )
  const chosen = tabs.find((tab) => tab === params.get('tab')) ?? 'profile'
  const choose = (tab: TabId) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('tab', tab)
        return next
      },
      { replace: true },
    )
  const panels: Record<TabId, () => ReactNode> = {
    profile: () => <ProfileTab detail={detail} />,
    photos: () => <PhotosTab detail={detail} />,
    orders: () => <OrdersTab userId={userId} />,
    money: () => <MoneyTab userId={userId} />,
    review: () => <ReviewTab userId={userId} />,
    cases: () => <CasesTab userId={userId} />,
    tickets: () => <TicketsTab userId={userId} />,
    blacklist: () => (
      <BlacklistEntriesTab
        userId={userId}
        onEnd={(entry) =>
          setConfirming({ kind: 'unblacklist', ids: [entry.blackId], names: [entry.userName] })
        }
      />
    ),
    messages: () => <MessagesTab userId={userId} />,
    timeline: () => <TimelineTab userId={userId} />,
  }
  return (
    <div className="customer" aria-busy={now.isFetching}>
      {now.error ? (
        <p className="customer-stale" role="alert">
          {t('detail.stale', { why: failureText(now.error) })}
        </p>
      ) : null}
      <CustomerHead
        detail={detail}
        others={others}
        leave={leave}
        isWindow={isWindow}
        onEdit={() => setEditingForm(true)}
        onBlacklist={askBlacklist}
        onTicket={reread}
      />
      <div className="detail-tabs customer-tabs">
        <Tabs
          id={`customer-${userId}`}
          selectedTabId={chosen}
          onChange={(tab) => choose(tab as TabId)}
          renderActiveTabPanelOnly
        >
          {tabs.map((tab) => (
            <Tab
              key={tab}
              id={tab}
              title={t(`tab.${tab}`)}
              panel={<div className="customer-panel">{tab === chosen ? panels[tab]() : null}</div>}
            />
          ))}
        </Tabs>
      </div>
      <Suspense fallback={null}>
        {editing ? (
          <EditContact detail={detail} onDone={reread} onClose={() => setEditingForm(false)} />
        ) : null}
      </Suspense>
      <BlacklistQuestions
        request={confirming}
        onDone={reread}
        onClose={() => setConfirming(null)}
      />
    </div>
  )
}

function CustomerSkeleton(): ReactNode {
  const t = useCustomerText()
  return (
    <div className="grid-skeleton" role="status" aria-label={t('ui:grid.loading')}>
      {Array.from({ length: 8 }, (_, i) => (
        <span key={i} className="bp6-skeleton" />
      ))}
    </div>
  )
}
