/**
 * The login page. It uses plain elements and no component library, because every shift loads it
 * first. A refusal is shown in the form only, not as a toast.
 */
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { CallError, messageOf } from '#client/session/call-error.ts'
import { startSession } from '#client/session/session-store.ts'
import { login } from '#shared/session/session-api.ts'
import { CloseEyeIcon, EyeIcon, MarkIcon } from './login-icons.tsx'
import { LoginLanguage } from './LoginLanguage.tsx'

const CodeStep = lazyPart(
  () => import('./CodeStep.tsx').then((m) => ({ default: m.CodeStep })),
  function Loading() {
    return <p role="status">{useText('session')('loading')}</p>
  },
)

type Missing = { account: boolean; password: boolean }
const COMPLETE: Missing = { account: false, password: false }

export function Screen() {
  const t = useText('session')
  const id = useId()
  const accountField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [missing, setMissing] = useState(COMPLETE)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  /** The password was correct and a code is required. */
  const [challenge, setChallenge] = useState<string | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const username = accountField.current?.value.trim() ?? ''
    const password = passwordField.current?.value ?? ''
    const lacks = { account: username === '', password: password === '' }
    setMissing(lacks)
    setFailure(null)
    if (lacks.account) return accountField.current?.focus()
    if (lacks.password) return passwordField.current?.focus()
    setBusy(true)
    try {
      const answer = await call(login, { username, password }, { quiet: true })
      if ('challenge' in answer) setChallenge(answer.challenge)
      else await startSession(answer.token)
    } catch (error) {
      setFailure(error)
      // the account name stays; a wrong password is typed again
      if (passwordField.current) passwordField.current.value = ''
      const aboutAccount =
        error instanceof CallError && error.problem?.id !== 'S-CRED' && error.kind === 'refused'
      ;(aboutAccount ? accountField : passwordField).current?.focus()
    } finally {
      setBusy(false)
    }
  }

  function watchCapsLock(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'))
  }

  useEffect(() => accountField.current?.focus(), [])

  return (
    <div className="login">
      <header className="login-top">
        <LoginLanguage />
      </header>
      <main className="login-card">
        <div className="login-brand">
          <MarkIcon />
          <div>
            <h1>{t('app')}</h1>
            <p>{t('login.intro')}</p>
          </div>
        </div>
        {challenge === null ? null : (
          <CodeStep
            challenge={challenge}
            onToken={startSession}
            onBack={() => setChallenge(null)}
          />
        )}
        <form onSubmit={submit} noValidate aria-busy={busy} hidden={challenge !== null}>
          {failure ? (
            <p className="login-failure" role="alert">
              {messageOf(failure)}
            </p>
          ) : null}
          <Field
            id={`${id}-account`}
            label={t('login.account')}
            error={missing.account ? t('login.accountNeeded') : null}
          >
            <input
              id={`${id}-account`}
              ref={accountField}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={64}
              aria-invalid={missing.account}
              aria-describedby={missing.account ? `${id}-account-error` : undefined}
              aria-required
            />
          </Field>
          <Field
            id={`${id}-password`}
            label={t('login.password')}
            error={missing.password ? t('login.passwordNeeded') : null}
            hint={capsLock ? t('login.capsLock') : null}
          >
            <input
              id={`${id}-password`}
              ref={passwordField}
              name="password"
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              maxLength={200}
              aria-invalid={missing.password}
              aria-describedby={`${id}-password-error ${id}-password-hint`}
              aria-required
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
              onBlur={() => setCapsLock(false)}
            />
            <button
              type="button"
              className="login-eye"
              aria-pressed={shown}
              aria-label={shown ? t('login.hide') : t('login.show')}
              title={shown ? t('login.hide') : t('login.show')}
              onClick={() => setShown(!shown)}
            >
              {shown ? <CloseEyeIcon /> : <EyeIcon />}
            </button>
          </Field>
          <button type="submit" className="login-submit" disabled={busy}>
            {busy ? t('login.checking') : t('login.submit')}
          </button>
        </form>
        {wallAddress(location.search) ? (
          <a className="login-wall" href={wallAddress(location.search) ?? ''}>
            {t('login.wall')}
          </a>
        ) : null}
      </main>
    </div>
  )
}

const BOARD_PATH = '/loaned_management/loaned_board'

/**
 * A person on the way to the wall board may want a wall screen, which needs no account, so the link
 * keeps the address parameters.
 */
function wallAddress(search: string): string | null {
  const [path, query = ''] = (new URLSearchParams(search).get('redirect') ?? '').split('?')
  return path === BOARD_PATH ? `/wall${query === '' ? '' : `?${query}`}` : null
}

function Field({
  id,
  label,
  error,
  hint,
  children,
}: {
  id: string
  label: string
  error: string | null
  hint?: string | null
  children: React.ReactNode
}) {
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <div className={error ? 'login-input is-wrong' : 'login-input'}>{children}</div>
      <p id={`${id}-error`} className="login-error" aria-live="polite">
        {error}
      </p>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="login-hint" aria-live="polite">
          {hint}
        </p>
      )}
    </div>
  )
}
