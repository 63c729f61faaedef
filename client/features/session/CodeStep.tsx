/**
 * The second step of the login: a code of the authenticator app or a recovery code. Used on the
 * login page and over a page whose session expired.
 */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { CallError, messageOf } from '#client/session/call-error.ts'
import { verifyLogin } from '#shared/session/account-api.ts'

/** @param onToken continues with the session; an error it throws is shown */
export function CodeStep({
  challenge,
  onToken,
  onBack,
}: {
  challenge: string
  onToken: (token: string) => Promise<void>
  onBack: () => void
}) {
  const t = useText('account')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [missing, setMissing] = useState(false)
  const isOver =
    failure instanceof CallError &&
    (failure.problem?.id === 'S-CHAL' || failure.problem?.id === 'S-TRY')

  async function submit(event: FormEvent) {
    event.preventDefault()
    const code = field.current?.value.replace(/\s/g, '') ?? ''
    setFailure(null)
    setMissing(code.length < 6)
    if (code.length < 6) return field.current?.focus()
    setBusy(true)
    try {
      const { token } = await call(verifyLogin, { challenge, code }, { quiet: true })
      await onToken(token)
    } catch (error) {
      setFailure(error)
      if (field.current) field.current.value = ''
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => field.current?.focus(), [])

  return (
    <form onSubmit={submit} noValidate aria-busy={busy} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="login-step">
        {t('code.title')}
      </h2>
      <p className="login-step-text">{t('code.text')}</p>
      {failure ? (
        <p className="login-failure" role="alert">
          {messageOf(failure)}
        </p>
      ) : null}
      <div className="login-field">
        <label htmlFor={`${id}-code`}>{t('code.label')}</label>
        <div className={missing ? 'login-input is-wrong' : 'login-input'}>
          <input
            id={`${id}-code`}
            ref={field}
            className="login-code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            disabled={isOver}
            aria-required
            aria-invalid={missing}
            aria-describedby={`${id}-fault`}
          />
        </div>
        <p id={`${id}-fault`} className="login-error" aria-live="polite">
          {missing ? t('code.needed') : null}
        </p>
      </div>
      <button type="submit" className="login-submit" disabled={busy || isOver}>
        {busy ? t('code.checking') : t('code.submit')}
      </button>
      <button type="button" className="login-other" onClick={onBack}>
        {t('code.back')}
      </button>
    </form>
  )
}
