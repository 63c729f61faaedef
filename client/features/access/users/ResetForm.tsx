import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
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
  const send = useSend(resetUserPassword, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof resetUserPassword>>({
    schema: resetUserPassword.input,
    omit: OMIT,
    values: { userId: user.userId, newPwd: '', confirmNewPwd: '' },
    check: ({ newPwd, confirmNewPwd }) => ({
      ...(isPassword(newPwd) ? {} : { newPwd: { key: 'access:fault.password', params: {} } }),
      ...(newPwd === confirmNewPwd
        ? {}
        : { confirmNewPwd: { key: 'access:fault.differs', params: {} } }),
    }),
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('user.resetDone', { name: user.userName }),
    onDone,
    onClose,
  })
  return (
    <FormDialog
      {...frame}
      title={t('user.resetTitle', { name: user.userName })}
      submitText={t('user.reset')}
      intent="danger"
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
