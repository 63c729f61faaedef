/** The form of the password change with the specification's rules (section 5), in the dialog and at a forced change. */
import { useTranslation } from 'react-i18next'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { loginPath } from '#client/session/redirect.ts'
import { expectEnd } from '#client/session/session-end.ts'
import { useSession } from '#client/session/session-store.ts'
import { clearToken } from '#client/session/token.ts'
import type { Faults } from '#client/ui/form.ts'
import { type SchemaForm, useSchemaForm } from '#client/ui/useSchemaForm.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { changePassword } from '#shared/session/account-api.ts'
import { isPassword } from '#shared/session/password-rule.ts'

export type PasswordValues = InputOf<typeof changePassword>

/** Long enough to read that it worked. */
const READ_MS = 1_500

/** Every session of the account ends with the old password: the page begins anew at the sign-in. */
export function usePasswordForm(): SchemaForm<PasswordValues> {
  const { t } = useTranslation('account')
  const { user } = useSession()
  return useSchemaForm<PasswordValues>({
    schema: changePassword.input,
    values: { username: user.account, oldPwd: '', newPwd: '', confirmNewPwd: '' },
    check: passwordFaults,
    // nothing here is worth a question before leaving
    guard: false,
    onSubmit: async (input) => {
      const notEnded = expectEnd()
      try {
        await call(changePassword, input, { quiet: true })
      } catch (error) {
        notEnded()
        throw error
      }
    },
    onDone: () => {
      clearToken()
      void showMessage({ intent: 'success', message: t('password.done'), key: 'password' })
      setTimeout(() => location.replace(loginPath(location.pathname + location.search)), READ_MS)
    },
  })
}

/** Texts of the server's refusals, so that both say the same. */
export function passwordFaults({ oldPwd, newPwd, confirmNewPwd }: PasswordValues): Faults | null {
  const fault = (key: string) => ({ key, params: {} })
  if (newPwd === oldPwd) return { newPwd: fault('problems:P-SAME') }
  if (!isPassword(newPwd)) return { newPwd: fault('problems:P-FMT') }
  return confirmNewPwd === newPwd ? null : { confirmNewPwd: fault('problems:P-DIFF') }
}
