import { MenuItem } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { accountDialog } from './account-dialog.ts'

/** Entries of the account menu. */
export function AccountItems() {
  const { t } = useTranslation('shell')
  return (
    <>
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
