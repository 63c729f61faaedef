/** The form for the six digits that switch two-factor login. A refused code is cleared. */
import { Callout } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { twoFactorSwitch } from '#shared/session/account-api.ts'

export interface CodeForm {
  busy: boolean
  submit: (event: FormEvent) => void
  fieldId: string
  refusal: ReactNode
  field: ReactNode
}

export function useCodeForm({
  userId,
  on,
  autoFocus = false,
  onDone,
}: {
  userId: string
  on: boolean
  autoFocus?: boolean
  onDone: () => void
}): CodeForm {
  const t = useText('account')
  const fieldId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [isShort, setShort] = useState(false)
  const [busy, setBusy] = useState(false)

  async function send() {
    const code = field.current?.value.replace(/\s/g, '') ?? ''
    const isCode = /^\d{6}$/.test(code)
    setRefusal(null)
    setShort(!isCode)
    if (!isCode) return field.current?.focus()
    setBusy(true)
    try {
      await call(
        twoFactorSwitch,
        { userId, switchVal: on ? '1' : '0', validSecret: code },
        { quiet: true },
      )
      onDone()
    } catch (error) {
      setRefusal(error)
      if (field.current) field.current.value = ''
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    submit: (event) => {
      event.preventDefault()
      void send()
    },
    fieldId,
    refusal: refusal ? (
      <Callout intent="danger" icon="error" role="alert" className="account-refusal">
        {messageOf(refusal)}
      </Callout>
    ) : null,
    field: (
      <>
        <input
          id={fieldId}
          ref={field}
          className="bp6-input two-factor-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          autoFocus={autoFocus}
          aria-invalid={isShort || undefined}
          aria-describedby={`${fieldId}-fault`}
        />
        <p id={`${fieldId}-fault`} className="fault" aria-live="polite">
          {isShort ? t('twoFactor.six') : null}
        </p>
      </>
    ),
  }
}
