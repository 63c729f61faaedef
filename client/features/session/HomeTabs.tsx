/**
 * The person's work, a card for each screen of the menu behind a fold and, for people who request
 * or decide, all approvals in a tab. The selected tab is in the address.
 */
import { Icon, Tab, Tabs } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { ALL_APPROVALS, ApprovalsList } from '#client/features/approvals/public.tsx'
import { Workbench } from '#client/features/home/public.tsx'
import { useLive } from '#client/live/use-live.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useServerText } from '#client/session/server-text.ts'
import { type SideItem, sideItems } from '#client/session/side-items.ts'
import { iconOr } from '#client/ui/frame/icons.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { workbench } from '#shared/home/home-api.ts'

const TABS = ['workbench', 'decide'] as const
const EVENTS = [APPROVAL_CHANGED.type]

export function HomeTabs() {
  const t = useText('home')
  const [params, setParams] = useSearchParams()
  // requested to learn whether the person has any request; the list uses the same answer
  const approvals = useQuery(ALL_APPROVALS)
  const todo = useQuery(queryOf(workbench, {}, { quiet: true }))
  const chosen = params.get('tab') === 'decide' ? 'decide' : 'workbench'
  // the open list fetches again by itself
  useLive(EVENTS, () => {
    if (chosen === 'workbench') void approvals.refetch()
  })
  const waiting = todo.data?.todo.find(({ menu }) => menu === 'home_page')?.count ?? 0
  // without approvals there is one page and no tabs
  if (!approvals.data?.total && waiting === 0) return <WorkbenchTab />
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
          panel={tab === 'workbench' ? <WorkbenchTab waiting={waiting} /> : <ApprovalsList />}
        />
      ))}
    </Tabs>
  )
}

/** How many requests are decided on the page itself; the tab has all. */
const DECIDED_HERE = 3

function WorkbenchTab({ waiting = 0 }: { waiting?: number }) {
  const t = useText('session', 'home')
  const text = useServerText()
  const { menu } = useSession()
  const groups = sideItems(menu).filter((item) => item.name !== 'home_page')
  const decisions =
    waiting === 0 ? null : (
      <section className="bench-decide" aria-label={t('home:desk.decide')}>
        <h2>{t('home:desk.decide')}</h2>
        <ApprovalsList toDecide={DECIDED_HERE} />
        {waiting > DECIDED_HERE ? (
          <Link href="/home_page?tab=decide">{t('home:desk.decideAll', { n: waiting })}</Link>
        ) : null}
      </section>
    )
  return (
    <>
      <Workbench decisions={decisions} />
      <details className="home-screens">
        <summary>{t('home.screens')}</summary>
        {groups.length === 0 ? <p className="home-none">{t('home.none')}</p> : null}
        {groups.map((group) => (
          <section key={group.id}>
            {group.children.length > 0 ? <h3>{text(group.title, group.name)}</h3> : null}
            <ul className="home-cards">
              {pagesOf(group).map((page) => (
                <li key={page.id}>
                  <Link href={page.path} className="home-card">
                    <span className="home-icon">
                      <Icon icon={iconOr(page.icon, 'dot')} />
                    </span>
                    {text(page.title, page.name)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </details>
    </>
  )
}

function pagesOf(item: SideItem): SideItem[] {
  return item.children.length === 0 ? [item] : item.children.flatMap(pagesOf)
}
