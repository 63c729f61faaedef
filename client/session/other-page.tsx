/** A form of another page, shown here: it has the rights that its own page grants. */
import { type ReactNode, useMemo } from 'react'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { permits } from './menu.ts'
import { PageContext, usePage } from './page.tsx'
import { sessionStore, useSession } from './session-store.ts'

/** Whether another page grants the call to the person who is signed in. */
export function permittedOn(menu: string, { access }: Pick<Endpoint, 'access'>): boolean {
  const state = sessionStore.get()
  const page = state.status === 'ready' ? state.session.index.byName.get(menu) : undefined
  return page !== undefined && permits(access, page.btnPermissions)
}

export function OtherPage({ menu, children }: { menu: string; children: ReactNode }): ReactNode {
  const here = usePage()
  const { index } = useSession()
  const page = useMemo(
    () => ({ ...here, menu, btnPermissions: index.byName.get(menu)?.btnPermissions ?? [] }),
    [here, index, menu],
  )
  return <PageContext value={page}>{children}</PageContext>
}
