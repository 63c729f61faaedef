import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import type { Faults } from '#client/ui/form/form.ts'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import { resetUserPassword } from '#shared/access/users-api.ts'
import type { User } from './user-types.ts'

const OMIT = ['userId'] as const

/**
 * A new password for somebody who forgot theirs. It is handed over in person and valid until the
 * next login.
 */
export function ResetForm({
  user,
  onDone,
  onClose,
}: {
  user: User
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('access')
  const { reason: offline } = useConnection()
  const send = useSend(resetUserPassword, { quiet: true })
  const form = useSchemaForm<InputOf<typeof resetUserPassword>>({
    schema: resetUserPassword.input,
    omit: OMIT,
    values: { userId: user.userId, newPwd: '', confirmNewPwd: '' },
    check({ newPwd, confirmNewPwd }): Faults | null {
      if (!isPassword(newPwd)) return { newPwd: { key: 'access:fault.password', params: {} } }
      return newPwd === confirmNewPwd
        ? null
        : { confirmNewPwd: { key: 'access:fault.differs', params: {} } }
    },
    onSubmit: (values) => send.mutateAsync(values),
    onDone: () => {
      void showMessage({
        intent: 'success',
        message: t('user.resetDone', { name: user.userName }),
        key: 'user',
      })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('user.resetTitle', { name: user.userName })}
      form={form}
      submitText={t('user.reset')}
      submitRefused={offline}
      intent="danger"
      onClose={onClose}
    >
      <TextField
        name="newPwd"
        label={t('user.newPassword')}
        type="password"
        autoComplete="new-password"
        maxLength={20}
        help={t('fault.password')}
      />
      <TextField
        name="confirmNewPwd"
        label={t('user.confirmPassword')}
        type="password"
        autoComplete="new-password"
        maxLength={20}
      />
      <p className="access-hint is-warning">{t('user.resetMeans')}</p>
    </FormDialog>
  )
}
