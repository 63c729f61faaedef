import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { twoFactorSwitch } from '#shared/session/account-api.ts'
import type { User } from './user-types.ts'

const OMIT = ['userId', 'switchVal'] as const

/**
 * Removes two-factor login from an account whose phone is lost; a code of the caller proves who is
 * asking.
 */
export function TwoFactorForm({
  user,
  onDone,
  onClose,
}: {
  user: User
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('access')
  const send = useSend(twoFactorSwitch, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof twoFactorSwitch>>({
    schema: twoFactorSwitch.input,
    omit: OMIT,
    values: { userId: user.userId, switchVal: '0', validSecret: '' },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('user.twoFactorDone', { name: user.userName }),
    onDone,
    onClose,
  })
  return (
    <FormDialog
      {...frame}
      title={t('user.twoFactorTitle', { name: user.userName })}
      submitText={t('user.twoFactorOff')}
      intent="danger"
    >
      <TextField
        name="validSecret"
        label={t('user.twoFactorCode')}
        autoComplete="one-time-code"
        maxLength={6}
      />
      <p className="access-hint is-warning">{t('user.twoFactorMeans')}</p>
    </FormDialog>
  )
}
