/**
 * The server's menu. Expanded: nested groups; rail: icons whose groups open beside it; below 992
 * px: a drawer over the page.
 */
import { Icon } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { useSession } from '#client/session/session-store.ts'
import { loadAhead } from './load-screen.ts'
import { RailMenu } from './RailMenu.tsx'
import { SidebarTree } from './SidebarTree.tsx'
import { Mark } from './Mark.tsx'

export type SidebarMode = 'open' | 'rail' | 'drawer'

export function Sidebar({
  mode,
  shown,
  logo,
  onClose,
}: {
  mode: SidebarMode
  shown: boolean
  logo: boolean
  onClose: () => void
}) {
  const t = useText('shell', 'session')
  const { menu } = useSession()
  const [path] = useLocation()
  const panel = useRef<HTMLElement>(null)

  useEffect(() => {
    if (mode === 'drawer' && shown) panel.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [mode, shown])

  function onKeyDown(event: KeyboardEvent) {
    if (mode === 'drawer' && event.key === 'Escape') onClose()
  }

  return (
    <>
      {mode === 'drawer' && shown ? <div className="side-veil" onClick={onClose} /> : null}
      <aside className="side" ref={panel} inert={!shown} onKeyDown={onKeyDown}>
        {logo || mode === 'drawer' ? (
          <div className="side-head">
            {logo ? (
              <Link href="/home_page" className="side-brand" title={t('session:app')}>
                <Mark />
                {mode === 'rail' ? (
                  <span className="visually-hidden">{t('session:app')}</span>
                ) : (
                  <span>{t('session:app')}</span>
                )}
              </Link>
            ) : (
              <span />
            )}
            {mode === 'drawer' ? (
              <button
                type="button"
                className="side-close"
                aria-label={t('shell:sidebar.close')}
                onClick={onClose}
              >
                <Icon icon="cross" />
              </button>
            ) : null}
          </div>
        ) : null}
        <nav
          className="side-nav"
          aria-label={t('shell:sidebar.label')}
          onPointerOver={loadPointedAt}
          onFocus={loadPointedAt}
        >
          {mode === 'rail' ? (
            <RailMenu menu={menu} path={path} />
          ) : (
            <SidebarTree menu={menu} path={path} />
          )}
        </nav>
      </aside>
    </>
  )
}

function loadPointedAt({ target }: { target: EventTarget }): void {
  const link = (target as Element).closest('a')
  if (link) void loadAhead(link.pathname)
}
