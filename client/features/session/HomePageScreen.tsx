/**
 * The fixed first tab: the signed-in person; the pending decisions and the work queues below are a
 * chunk of their own.
 */
import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { roleWord } from '#client/features/access/public.ts'
import { queryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { registerCardIcons } from '#client/ui/frame/icons.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { istClock } from '#shared/kernel/time.ts'
import { currentRole } from '#shared/session/session-api.ts'

const HomeTabs = lazyPart(async () => {
  const [{ HomeTabs: tabs }] = await Promise.all([import('./HomeTabs.tsx'), registerCardIcons()])
  return { default: tabs }
})

export function Screen() {
  const t = useText('session', 'access')
  const { user } = useSession()
  const role = useQuery(queryOf(currentRole, {}))
  const hour = Number(istClock(serverNow()).slice(0, 2))
  const greeting =
    hour < 12
      ? t('home.morning', { name: user.userName })
      : hour < 17
        ? t('home.afternoon', { name: user.userName })
        : t('home.evening', { name: user.userName })

  return (
    <div className="home">
      <div className="home-head">
        <h1>{greeting}</h1>
        <dl className="home-facts">
          <Fact label={t('home.role')}>
            {role.data ? roleWord(t, role.data.uniqueMark, role.data.roleName) : '…'}
          </Fact>
          <Fact label={t('home.account')}>{user.account}</Fact>
          <Fact label={t('home.scope')}>{t(`home.scopes.${user.scope.kind}`)}</Fact>
          <Fact label={t('home.since')}>
            <IstTime value={user.loginTime} />
          </Fact>
        </dl>
      </div>
      <HomeTabs />
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
