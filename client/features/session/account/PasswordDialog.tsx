import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { closeAccountDialog } from './account-dialog.ts'
import { PasswordFields } from './PasswordFields.tsx'
import { usePasswordForm } from './use-password-form.ts'

export function PasswordDialog() {
  const t = useText('account')
  const { reason: offline } = useConnection()
  const form = usePasswordForm()
  return (
    <FormDialog
      isOpen
      title={t('password.title')}
      form={form}
      width={520}
      submitText={t('password.submit')}
      submitRefused={offline}
      onClose={closeAccountDialog}
    >
      <p className="account-text">{t('password.text')}</p>
      <PasswordFields form={form} />
    </FormDialog>
  )
}
