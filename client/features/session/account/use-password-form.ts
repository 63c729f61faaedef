/** The form of the password change, in the dialog and after a forced change. */
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { loginPath } from '#client/session/redirect.ts'
import { expectEnd } from '#client/session/session-end.ts'
import { useSession } from '#client/session/session-store.ts'
import { clearToken } from '#client/session/token.ts'
import type { Faults } from '#client/ui/form/fault.ts'
import { type SchemaForm, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { changePassword } from '#shared/session/account-api.ts'
import { isPassword } from '#shared/session/password-rule.ts'

export type PasswordValues = InputOf<typeof changePassword>

/** Long enough to read the confirmation. */
const READ_MS = 1_500

/** The change ends every session of the account, so the page reloads at the login. */
export function usePasswordForm(): SchemaForm<PasswordValues> {
  const t = useText('account')
  const { user } = useSession()
  return useSchemaForm<PasswordValues>({
    schema: changePassword.input,
    values: { username: user.account, oldPwd: '', newPwd: '', confirmNewPwd: '' },
    check: passwordFaults,
    // the form holds nothing that needs a question before leaving
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

/** The texts of the server's refusals, so that client and server say the same. */
export function passwordFaults({ oldPwd, newPwd, confirmNewPwd }: PasswordValues): Faults {
  const fault = (key: string) => ({ key, params: {} })
  const faults: Faults = {}
  if (!isPassword(newPwd)) faults.newPwd = fault('problems:P-FMT')
  if (newPwd === oldPwd) faults.newPwd = fault('problems:P-SAME')
  if (confirmNewPwd !== newPwd) faults.confirmNewPwd = fault('problems:P-DIFF')
  return faults
}
