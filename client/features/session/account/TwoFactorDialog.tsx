/** The second step of one's own sign-in: what it is now, setting it up, switching it off. */
import { Button, Callout, Dialog, DialogBody, Spinner, Tag } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { OverlayHead } from '#client/ui/OverlayHead.tsx'
import { twoFactorState, twoFactorSwitch } from '#shared/session/account-api.ts'
import { closeAccountDialog } from './account-dialog.ts'
import { TwoFactorSetUp } from './TwoFactorSetUp.tsx'

export function TwoFactorDialog() {
  const { t } = useTranslation('account')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const titleId = useId()
  const [step, setStep] = useState<'state' | 'on' | 'off'>('state')
  const state = useQuery({ ...queryOf(twoFactorState, {}, { quiet: true }), staleTime: 0 })
  const done = (message: string): void => {
    void showMessage({ intent: 'success', message, key: 'two-factor' })
    void state.refetch()
    setStep('state')
  }
  return (
    <Dialog isOpen onClose={closeAccountDialog} aria-labelledby={titleId} className="form-dialog account-dialog" canOutsideClickClose={step === 'state'}>
      <OverlayHead id={titleId} title={t('twoFactor.title')} onClose={closeAccountDialog} />
      {step === 'on' ? (
        <TwoFactorSetUp userId={user.userId} onDone={() => done(t('twoFactor.isOn'))} onCancel={() => setStep('state')} />
      ) : step === 'off' ? (
        <SwitchOff userId={user.userId} onDone={() => done(t('twoFactor.isOff'))} onCancel={() => setStep('state')} />
      ) : state.isError ? (
        <ErrorPane error={state.error} onRetry={() => void state.refetch()} />
      ) : !state.data ? (
        <Spinner className="account-wait" size={32} aria-label={t('wait')} />
      ) : (
        <>
          <DialogBody className="account-body">
            <p className="two-factor-state">
              <Tag intent={state.data.twoFactor ? 'success' : 'none'} minimal>
                {state.data.twoFactor ? t('twoFactor.on') : t('twoFactor.off')}
              </Tag>
              {state.data.twoFactor ? t('twoFactor.left', { count: state.data.recoveryLeft }) : null}
            </p>
            <p className="account-text">{t('twoFactor.text')}</p>
            {state.data.required ? <p className="account-text">{t('twoFactor.required')}</p> : null}
          </DialogBody>
          <div className="form-buttons">
            {state.data.twoFactor ? <ActionButton text={t('twoFactor.switchOff')} disabledReason={offline} onClick={() => setStep('off')} /> : null}
            <ActionButton intent="primary" text={state.data.twoFactor ? t('twoFactor.renew') : t('twoFactor.setUp')} disabledReason={offline} onClick={() => setStep('on')} />
          </div>
        </>
      )}
    </Dialog>
  )
}

function SwitchOff({ userId, onDone, onCancel }: { userId: string; onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation('account')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [isShort, setShort] = useState(false)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const code = field.current?.value.replace(/\s/g, '') ?? ''
    setRefusal(null)
    setShort(!/^\d{6}$/.test(code))
    if (!/^\d{6}$/.test(code)) return field.current?.focus()
    setBusy(true)
    try {
      await call(twoFactorSwitch, { userId, switchVal: '0', validSecret: code }, { quiet: true })
      onDone()
    } catch (error) {
      setRefusal(error)
      if (field.current) field.current.value = ''
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody className="account-body">
        <p className="account-text">{t('twoFactor.offText')}</p>
        {refusal ? (
          <Callout intent="danger" icon="error" role="alert" className="account-refusal">
            {messageOf(refusal)}
          </Callout>
        ) : null}
        <label htmlFor={`${id}-code`}>{t('twoFactor.ownCode')}</label>
        <input id={`${id}-code`} ref={field} className="bp6-input two-factor-code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} autoFocus aria-invalid={isShort || undefined} aria-describedby={`${id}-fault`} />
        <p id={`${id}-fault`} className="fault" aria-live="polite">
          {isShort ? t('twoFactor.six') : null}
        </p>
      </DialogBody>
      <div className="form-buttons">
        <Button text={t('cancel')} onClick={onCancel} />
        <ActionButton type="submit" intent="danger" busy={busy} text={t('twoFactor.switchOff')} />
      </div>
    </form>
  )
}
