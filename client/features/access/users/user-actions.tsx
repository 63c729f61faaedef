/** What can be done with accounts. */
import type { ReactNode } from 'react'
import { callAction, panelAction, withCodes } from '#client/screen/list/list-actions.ts'
import type { ListTools, PanelTools } from '#client/screen/list/list-types.ts'
import { listRoles } from '#shared/access/roles-api.ts'
import {
  addUser,
  editUser,
  kickUser,
  resetUserPassword,
  setUserStatus,
  unlockUser,
} from '#shared/access/users-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { TWO_FACTOR_PERMISSION, twoFactorSwitch } from '#shared/session/account-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { ResetForm } from './ResetForm.tsx'
import { SessionsDrawer } from './SessionsDrawer.tsx'
import { TwoFactorForm } from './TwoFactorForm.tsx'
import { isOn } from './user-columns.ts'
import { UserForm } from './UserForm.tsx'
import type { User } from './user-types.ts'

export const addUserAction = panelAction<null>({
  id: 'add',
  endpoint: addUser,
  text: 'user.add',
  icon: 'new-person',
  panel: (_, tools) => userForm(null, tools),
})

export const editUserAction = panelAction<User>({
  id: 'edit',
  endpoint: editUser,
  text: 'user.edit',
  icon: 'edit',
  disabledReason: aboveOwn,
  panel: userForm,
})

export const resetAction = panelAction<User>({
  id: 'reset',
  endpoint: resetUserPassword,
  text: 'user.reset',
  icon: 'lock',
  disabledReason: ownOrAbove,
  panel: (user, { done, close }) => <ResetForm user={user} onDone={done} onClose={close} />,
})

export const sessionsAction = panelAction<User>({
  id: 'sessions',
  endpoint: kickUser,
  isLook: true,
  text: 'user.sessions',
  icon: 'people',
  panel: (user, { done, close }) => <SessionsDrawer user={user} onDone={done} onClose={close} />,
})

// everybody may switch their own two-factor login; for other accounts it needs a code
export const twoFactorAction = withCodes(
  [TWO_FACTOR_PERMISSION],
  panelAction<User>({
    id: 'twoFactor',
    endpoint: twoFactorSwitch,
    text: 'user.twoFactorOff',
    icon: 'mobile-phone',
    when: ({ twoFactor }) => twoFactor,
    disabledReason: ownOrAbove,
    panel: (user, { done, close }) => <TwoFactorForm user={user} onDone={done} onClose={close} />,
  }),
)

export const unlockAction = callAction(unlockUser, {
  id: 'unlock',
  text: 'user.unlock',
  icon: 'unlock',
  when: ({ lockedUntil }: User) => lockedUntil !== null,
  disabledReason: aboveOwn,
  input: ({ userId }) => ({ userId }),
  done: 'user.unlocked',
})

const SWITCHES = [
  { id: 'enable', to: 'enabled', icon: 'play', means: 'user.onMeans' },
  { id: 'freeze', to: 'frozen', icon: 'pause', intent: 'warning', means: 'user.frozenMeans' },
  { id: 'disable', to: 'disabled', icon: 'disable', intent: 'danger', means: 'user.disabledMeans' },
] as const

export const switchActions = SWITCHES.map(({ id, to, icon, means, ...look }) =>
  callAction(setUserStatus, {
    id,
    text: `user.${id}`,
    icon,
    ...look,
    separated: id !== 'disable',
    when: ({ status }: User) =>
      to === 'enabled' ? !isOn(status) : to === 'frozen' ? isOn(status) : status !== 'disabled',
    disabledReason: ownOrAbove,
    confirm: ({ userName }, { t }) => ({
      title: t(`user.ask.${to}`, { name: userName }),
      irreversible: to === 'enabled' ? [] : [t('user.offMeans')],
      body: <p>{t(means)}</p>,
    }),
    input: ({ userId, version }) => ({ userId, version, status: to }),
    done: 'user.saved',
  }),
)

function userForm(user: User | null, { read, user: me, done, close }: PanelTools): ReactNode {
  return (
    <UserForm
      user={user}
      tree={read(collectionTree)}
      roles={(read(listRoles)?.rows ?? []).filter(
        ({ uniqueMark }) => !isAboveOwn(me.roles, uniqueMark),
      )}
      onDone={done}
      onClose={close}
    />
  )
}

/** Administrators look after administrators. */
function isAboveOwn(mine: readonly string[], mark: string): boolean {
  return mark === ADMINISTRATOR && !mine.includes(ADMINISTRATOR)
}

function aboveOwn({ roleMark }: User, { t, user }: ListTools): string | null {
  return isAboveOwn(user.roles, roleMark) ? t('user.administratorsOnly') : null
}

function ownOrAbove(row: User, tools: ListTools): string | null {
  return row.userId === tools.user.userId ? tools.t('user.notYourself') : aboveOwn(row, tools)
}
