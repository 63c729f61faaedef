/** Two-factor login of the own account: status, setup and switching it off. */
import { Button, Dialog, DialogBody, Spinner, Tag } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { twoFactorState } from '#shared/session/account-api.ts'
import { closeAccountDialog } from './account-dialog.ts'
import { TwoFactorSetUp } from './TwoFactorSetUp.tsx'
import { useCodeForm } from './use-code-form.tsx'

export function TwoFactorDialog() {
  const t = useText('account')
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
    <Dialog
      isOpen
      onClose={closeAccountDialog}
      aria-labelledby={titleId}
      className="form-dialog account-dialog"
      canOutsideClickClose={step === 'state'}
    >
      <OverlayHead id={titleId} title={t('twoFactor.title')} onClose={closeAccountDialog} />
      {step === 'on' ? (
        <TwoFactorSetUp
          userId={user.userId}
          onDone={() => done(t('twoFactor.isOn'))}
          onCancel={() => setStep('state')}
        />
      ) : step === 'off' ? (
        <SwitchOff
          userId={user.userId}
          onDone={() => done(t('twoFactor.isOff'))}
          onCancel={() => setStep('state')}
        />
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
              {state.data.twoFactor
                ? t('twoFactor.left', { count: state.data.recoveryLeft })
                : null}
            </p>
            <p className="account-text">{t('twoFactor.text')}</p>
            {state.data.required ? <p className="account-text">{t('twoFactor.required')}</p> : null}
          </DialogBody>
          <div className="form-buttons">
            {state.data.twoFactor ? (
              <ActionButton
                text={t('twoFactor.switchOff')}
                disabledReason={offline}
                onClick={() => setStep('off')}
              />
            ) : null}
            <ActionButton
              intent="primary"
              text={state.data.twoFactor ? t('twoFactor.renew') : t('twoFactor.setUp')}
              disabledReason={offline}
              onClick={() => setStep('on')}
            />
          </div>
        </>
      )}
    </Dialog>
  )
}

function SwitchOff({
  userId,
  onDone,
  onCancel,
}: {
  userId: string
  onDone: () => void
  onCancel: () => void
}) {
  const t = useText('account')
  const form = useCodeForm({ userId, on: false, autoFocus: true, onDone })
  return (
    <form onSubmit={form.submit} noValidate>
      <DialogBody className="account-body">
        <p className="account-text">{t('twoFactor.offText')}</p>
        {form.refusal}
        <label htmlFor={form.fieldId}>{t('twoFactor.ownCode')}</label>
        {form.field}
      </DialogBody>
      <div className="form-buttons">
        <Button text={t('cancel')} onClick={onCancel} />
        <ActionButton
          type="submit"
          intent="danger"
          busy={form.busy}
          text={t('twoFactor.switchOff')}
        />
      </div>
    </form>
  )
}
