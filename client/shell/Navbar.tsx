import { Button } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'
import type { View } from '#client/session/routes.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { Clock } from './Clock.tsx'
import { ConnectionPill } from './ConnectionPill.tsx'
import { ErrorLogButton } from './ErrorLogButton.tsx'
import { FullscreenButton } from './FullscreenButton.tsx'
import { HeaderSearch } from './HeaderSearch.tsx'
import { HeaderTrays } from './HeaderTrays.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { openPanel } from '#client/screen/panel-store.ts'
import { chooseSidebar } from '#client/base/preferences.ts'
import { SizeMenu } from './SizeMenu.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

export function Navbar({
  view,
  sidebarOpen,
  narrow,
  onOpenDrawer,
}: {
  view: View
  sidebarOpen: boolean
  narrow: boolean
  onOpenDrawer: () => void
}) {
  const t = useText('shell')
  const label = narrow
    ? t('sidebar.open')
    : sidebarOpen
      ? t('sidebar.collapse')
      : t('sidebar.expand')
  return (
    <header className="navbar">
      <Button
        variant="minimal"
        icon={sidebarOpen ? 'menu-closed' : 'menu-open'}
        aria-label={label}
        title={label}
        aria-expanded={sidebarOpen}
        onClick={() => (narrow ? onOpenDrawer() : chooseSidebar(!sidebarOpen))}
      />
      <Breadcrumb view={view} />
      <div className="navbar-tools">
        <ErrorLogButton />
        <HeaderSearch />
        <ConnectionPill />
        <Clock />
        <HeaderTrays />
        <LanguageMenu />
        {/* a telephone is full screen, and the drawer has the theme */}
        <div className="navbar-wide">
          <FullscreenButton />
          <SizeMenu />
          <ThemeToggle />
        </div>
        <Button
          variant="minimal"
          icon="settings"
          aria-label={t('settings')}
          title={t('settings')}
          aria-haspopup="dialog"
          onClick={() => openPanel('settings')}
        />
        <AccountMenu />
      </div>
    </header>
  )
}
