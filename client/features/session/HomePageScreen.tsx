/** The affixed first tab: who is signed in, and a card for every screen of his menu. */
import { Icon } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { roleWord } from '#client/features/access/public.ts'
import { queryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { useServerText } from '#client/shell/server-text.ts'
import { type SideItem, sideItems } from '#client/shell/side-items.ts'
import { IstTime } from '#client/ui/IstTime.tsx'
import { iconOr } from '#client/ui/icons.ts'
import { PAGE_ICONS } from '#client/ui/page-icons.ts'
import { istClock } from '#shared/kernel/time.ts'
import { currentRole } from '#shared/session/session-api.ts'

export function Screen() {
  const { t } = useTranslation(['session', 'access'])
  const text = useServerText()
  const { user, menu } = useSession()
  const role = useQuery(queryOf(currentRole, {}))
  const hour = Number(istClock(serverNow()).slice(0, 2))
  const greeting = hour < 12 ? t('home.morning', { name: user.userName }) : hour < 17 ? t('home.afternoon', { name: user.userName }) : t('home.evening', { name: user.userName })
  const groups = sideItems(menu).filter((item) => item.name !== 'home_page')

  return (
    <div className="home">
      <h1>{greeting}</h1>
      <dl className="home-facts">
        <Fact label={t('home.role')}>{role.data ? roleWord(t as unknown as Parameters<typeof roleWord>[0], role.data.uniqueMark, role.data.roleName) : '…'}</Fact>
        <Fact label={t('home.account')}>{user.account}</Fact>
        <Fact label={t('home.scope')}>{t(`home.scopes.${user.scope.kind}`)}</Fact>
        <Fact label={t('home.since')}>
          <IstTime value={user.loginTime} />
        </Fact>
      </dl>
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
    </div>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Pages below an item, each with the icon of its nearest group. */
function pagesOf(item: SideItem, icon: string | null = item.icon): { page: SideItem; icon: string | null }[] {
  return item.children.length === 0 ? [{ page: item, icon }] : item.children.flatMap((child) => pagesOf(child, child.icon ?? icon))
}
