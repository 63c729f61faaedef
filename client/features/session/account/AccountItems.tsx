import { MenuItem } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'
import { accountDialog } from './account-dialog.ts'

/** Entries of the account menu. */
export function AccountItems() {
  const t = useText('shell')
  return (
    <>
      <MenuItem
        icon="person"
        text={t('account.avatar')}
        onClick={() => accountDialog.set('avatar')}
      />
      <MenuItem
        icon="key"
        text={t('account.password')}
        onClick={() => accountDialog.set('password')}
      />
      <MenuItem
        icon="shield"
        text={t('account.twoFactor')}
        onClick={() => accountDialog.set('twoFactor')}
      />
      <MenuItem
        icon="time"
        text={t('account.sessions')}
        onClick={() => accountDialog.set('sessions')}
      />
    </>
  )
}
