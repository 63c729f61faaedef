/** Login over an expired session. The page below keeps its unsaved input and is hidden. */
import { Dialog } from '@blueprintjs/core'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { endSession } from '#client/session/session-end.ts'
import { continueSession, useSession, useSessionState } from '#client/session/session-store.ts'
import { login } from '#shared/session/session-api.ts'
import { CodeStep } from '../CodeStep.tsx'
import { placeOfFocus } from './place-of-focus.ts'

export function SignInAgain() {
  const t = useText('account')
  const { user } = useSession()
  const state = useSessionState()
  const id = useId()
  const [challenge, setChallenge] = useState<string | null>(null)
  const reason = state.status === 'ready' ? state.lapsed?.message : undefined
  useEffect(() => {
    const goBack = placeOfFocus()
    // after the overlay below has taken the focus for itself
    return () => void setTimeout(goBack)
  }, [])
  return (
    <Dialog
      isOpen
      className="lapsed"
      backdropClassName="lapsed-cover"
      canEscapeKeyClose={false}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <div className="lapsed-body">
        <h1 id={`${id}-title`}>{t('again.title')}</h1>
        <div id={`${id}-text`} className="login-step-text">
          {reason ? <p>{reason}</p> : null}
          <p>{t('again.text')}</p>
        </div>
        {challenge === null ? (
          <PasswordStep account={user.account} onChallenge={setChallenge} />
        ) : (
          <CodeStep
            challenge={challenge}
            onToken={continueSession}
            onBack={() => setChallenge(null)}
          />
        )}
        {/* nothing of this page may be left for somebody else */}
        <button
          type="button"
          className="login-other"
          onClick={() => endSession({ remember: false })}
        >
          {t('again.other')}
        </button>
      </div>
    </Dialog>
  )
}

function PasswordStep({
  account,
  onChallenge,
}: {
  account: string
  onChallenge: (challenge: string) => void
}) {
  const t = useText('account')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [missing, setMissing] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const password = field.current?.value ?? ''
    setFailure(null)
    setMissing(password === '')
    if (password === '') return field.current?.focus()
    setBusy(true)
    try {
      const answer = await call(login, { username: account, password }, { quiet: true })
      if ('challenge' in answer) onChallenge(answer.challenge)
      else await continueSession(answer.token)
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
    <form onSubmit={submit} noValidate aria-busy={busy}>
      {failure ? (
        <p className="login-failure" role="alert">
          {messageOf(failure)}
        </p>
      ) : null}
      <div className="login-field">
        <label htmlFor={`${id}-account`}>{t('again.account')}</label>
        <div className="login-input is-fixed">
          <input
            id={`${id}-account`}
            name="username"
            autoComplete="username"
            readOnly
            tabIndex={-1}
            value={account}
          />
        </div>
      </div>
      <div className="login-field">
        <label htmlFor={`${id}-password`}>{t('again.password')}</label>
        <div className={missing ? 'login-input is-wrong' : 'login-input'}>
          <input
            id={`${id}-password`}
            ref={field}
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={200}
            aria-required
            aria-invalid={missing}
            aria-describedby={`${id}-fault`}
          />
        </div>
        <p id={`${id}-fault`} className="login-error" aria-live="polite">
          {missing ? t('again.passwordNeeded') : null}
        </p>
      </div>
      <button type="submit" className="login-submit" disabled={busy}>
        {busy ? t('code.checking') : t('again.submit')}
      </button>
    </form>
  )
}
