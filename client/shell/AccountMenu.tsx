import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'
import { AccountItems } from '#client/features/session/public.tsx'
import { signOut } from '#client/session/logout.ts'
import { useSession } from '#client/session/session-store.ts'
import { useFace } from '#client/ui/value/faces.ts'
import { initials } from '#client/ui/value/Presence.tsx'
import { MenuTitle } from './MenuTitle.tsx'
import { openShortcutList } from './shortcut-list-store.ts'

export function AccountMenu() {
  const t = useText('shell')
  const { user } = useSession()
  const face = useFace(user)
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <Menu>
          <MenuTitle>{`${user.userName} · ${user.account}`}</MenuTitle>
          <AccountItems />
          <MenuItem icon="key" text={t('account.shortcuts')} label="?" onClick={openShortcutList} />
          <MenuItem icon="log-out" text={t('account.logout')} onClick={() => void signOut()} />
        </Menu>
      }
      renderTarget={({ isOpen, ref, ...target }) => (
        <Button
          {...target}
          ref={ref as React.Ref<HTMLButtonElement>}
          variant="minimal"
          className="account"
          active={isOpen}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          title={t('account.menu', { name: user.userName })}
        >
          <span className="account-face" aria-hidden="true">
            {initials(user.userName)}
            {face !== null && <img src={face} alt="" />}
          </span>
          <span className="account-name">{user.userName}</span>
        </Button>
      )}
    />
  )
}
