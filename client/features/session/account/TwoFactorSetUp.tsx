/**
 * Setup of two-factor login: a secret for the authenticator app, recovery codes to keep, and a code
 * that proves it works.
 */
import { Button, Spinner } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { copyText } from '#client/ui/value/copy.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { twoFactorSecret } from '#shared/session/account-api.ts'
import { QrPicture } from '#client/ui/value/QrPicture.tsx'
import { useCodeForm } from './use-code-form.tsx'

type Offer = DataOf<typeof twoFactorSecret>

export function TwoFactorSetUp({
  userId,
  onDone,
  onCancel,
}: {
  userId: string
  onDone: () => void
  onCancel?: () => void
}) {
  const t = useText('account')
  const form = useCodeForm({ userId, on: true, onDone })
  const [offer, setOffer] = useState<Offer | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [kept, setKept] = useState(false)
  const [again, setAgain] = useState(0)

  useEffect(() => {
    let gone = false
    call(twoFactorSecret, { userId }, { quiet: true }).then(
      (answer) => gone || setOffer(answer),
      (error: unknown) => gone || setFailure(error),
    )
    return () => {
      gone = true
    }
  }, [userId, again])

  if (failure)
    return <ErrorPane error={failure} onRetry={() => (setFailure(null), setAgain(again + 1))} />
  if (!offer) return <Spinner className="account-wait" size={32} aria-label={t('wait')} />
  return (
    <form className="two-factor" onSubmit={form.submit} noValidate>
      <ol>
        <li>
          <h3>{t('twoFactor.scan')}</h3>
          <div className="two-factor-scan">
            <QrPicture
              text={offer.otpauthUri}
              label={t('twoFactor.picture')}
              className="two-factor-qr"
            />
            <div>
              <p>{t('twoFactor.scanText')}</p>
              <p>{t('twoFactor.manual')}</p>
              <code className="two-factor-secret">
                {offer.secret.replace(/(.{4})(?=.)/g, '$1 ')}
              </code>
            </div>
          </div>
        </li>
        <li>
          <h3>{t('twoFactor.recovery')}</h3>
          <p>{t('twoFactor.recoveryText')}</p>
          <ul className="two-factor-codes" aria-label={t('twoFactor.recovery')}>
            {offer.recoveryCodes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <div className="two-factor-keep">
            <Button
              text={t('twoFactor.copy')}
              onClick={() => void copyText(offer.recoveryCodes.join('\n'))}
            />
            <label className="check">
              <input
                type="checkbox"
                checked={kept}
                onChange={(event) => setKept(event.target.checked)}
              />
              {t('twoFactor.kept')}
            </label>
          </div>
        </li>
        <li>
          <h3>
            <label htmlFor={form.fieldId}>{t('twoFactor.confirm')}</label>
          </h3>
          {form.refusal}
          {form.field}
        </li>
      </ol>
      <div className="form-buttons">
        {onCancel ? <Button text={t('cancel')} onClick={onCancel} /> : null}
        <ActionButton
          type="submit"
          intent="primary"
          busy={form.busy}
          disabledReason={kept ? null : t('twoFactor.keepFirst')}
          text={t('twoFactor.switchOn')}
        />
      </div>
    </form>
  )
}
