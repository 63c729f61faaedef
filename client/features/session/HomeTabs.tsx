/** The desk and a card for every screen of the menu, and, for whoever asks or decides, the requests that a second person decides. The chosen tab stands in the address. */
import { Icon, Tab, Tabs } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { ALL_APPROVALS, ApprovalsList } from '#client/features/approvals/public.tsx'
import { Desk } from '#client/features/home/public.tsx'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useServerText } from '#client/shell/server-text.ts'
import { type SideItem, sideItems } from '#client/shell/side-items.ts'
import { iconOr } from '#client/ui/icons.ts'
import { PAGE_ICONS } from '#client/ui/page-icons.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { workbench } from '#shared/home/home-api.ts'

const TABS = ['workbench', 'decide'] as const
const EVENTS = [APPROVAL_CHANGED.type]

export function HomeTabs() {
  const { t } = useTranslation('home')
  const [params, setParams] = useSearchParams()
  // read to learn whether there is any request of his; the list shows the same answer
  const asked = useQuery(ALL_APPROVALS)
  const todo = useQuery(queryOf(workbench, {}, { quiet: true }))
  const chosen = params.get('tab') === 'decide' ? 'decide' : 'workbench'
  // the open list reads itself again
  useLive(EVENTS, () => {
    if (chosen === 'workbench') void asked.refetch()
  })
  const waiting = todo.data?.todo.find(({ menu }) => menu === 'home_page')?.count ?? 0
  // who neither asks nor decides has one page, no tabs
  if (!asked.data?.total && waiting === 0) return <Workbench />
  const choose = (tab: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        if (tab === 'decide') next.set('tab', tab)
        else next.delete('tab')
        return next
      },
      { replace: true },
    )
  return (
    <Tabs
      id="home"
      selectedTabId={chosen}
      onChange={(tab) => choose(String(tab))}
      renderActiveTabPanelOnly
    >
      {TABS.map((tab) => (
        <Tab
          key={tab}
          id={tab}
          title={t(`tab.${tab}`)}
          tagContent={tab === 'decide' && waiting > 0 ? waiting : undefined}
          tagProps={{ round: true, intent: 'danger' }}
          panel={
            tab === 'workbench' ? (
              <Workbench />
            ) : (
              <Suspense fallback={null}>
                <ApprovalsList />
              </Suspense>
            )
          }
        />
      ))}
    </Tabs>
  )
}

function Workbench() {
  const { t } = useTranslation('session')
  const text = useServerText()
  const { menu } = useSession()
  const groups = sideItems(menu).filter((item) => item.name !== 'home_page')
  return (
    <>
      <Desk />
      <h2>{t('home.screens')}</h2>
      {groups.length === 0 ? <p className="home-none">{t('home.none')}</p> : null}
      {groups.map((group) => (
        <section key={group.id}>
          {group.children.length > 0 ? <h3>{text(group.title, group.name)}</h3> : null}
          <ul className="home-cards">
            {pagesOf(group).map(({ page, icon }) => (
              <li key={page.id}>
                <Link href={page.path} className="home-card">
                  <span className="home-icon">
                    <Icon icon={PAGE_ICONS[page.name] ?? iconOr(page.icon ?? icon, 'dot')} />
                  </span>
                  {text(page.title, page.name)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** Pages below an item, each with the icon of its nearest group. */
function pagesOf(
  item: SideItem,
  icon: string | null = item.icon,
): { page: SideItem; icon: string | null }[] {
  return item.children.length === 0
    ? [{ page: item, icon }]
    : item.children.flatMap((child) => pagesOf(child, child.icon ?? icon))
}
