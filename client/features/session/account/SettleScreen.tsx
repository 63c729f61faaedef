/**
 * Shown before the frame: an account that must change its password or set up two-factor login does
 * that first, and the server refuses all other calls.
 */
import { Button } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'
import { signOut } from '#client/session/logout.ts'
import { resumeSession, useSession } from '#client/session/session-store.ts'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import { MarkIcon } from '../login-icons.tsx'
import { PasswordFields } from './PasswordFields.tsx'
import { TwoFactorSetUp } from './TwoFactorSetUp.tsx'
import { usePasswordForm } from './use-password-form.ts'

export function SettleScreen() {
  const t = useText('account')
  const { user } = useSession()
  return (
    <div className="settle">
      <main className="settle-card">
        <header>
          <MarkIcon />
          <div>
            <h1>{user.mustChange ? t('settle.password') : t('settle.enrol')}</h1>
            <p>{user.mustChange ? t('settle.passwordText') : t('settle.enrolText')}</p>
          </div>
        </header>
        {user.mustChange ? (
          <OwnPassword />
        ) : (
          <TwoFactorSetUp userId={user.userId} onDone={() => void resumeSession()} />
        )}
        <footer>
          <span>{`${user.userName} · ${user.account}`}</span>
          <Button
            variant="minimal"
            icon="log-out"
            text={t('settle.logout')}
            onClick={() => void signOut()}
          />
        </footer>
      </main>
    </div>
  )
}

function OwnPassword() {
  const t = useText('account')
  const form = usePasswordForm()
  return (
    <FormBody form={form} submitText={t('password.submit')}>
      <PasswordFields form={form} />
    </FormBody>
  )
}
