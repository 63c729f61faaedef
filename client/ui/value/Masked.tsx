/**
 * A masked value. The full value is shown after giving a reason and is masked again after a minute.
 */
import './masked.css'
import { Button, PopoverNext } from '@blueprintjs/core'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { uiNow, useSecond } from './clock.ts'
import { copyText } from './copy.ts'
import { failureText } from '#client/ui/feedback/failure.ts'

export const REVEAL_MS = 60_000
const REASON = { min: 4, max: 100 }

export interface MaskedProps {
  value: string | null | undefined
  /** What it is, for the buttons: "Phone". */
  label: string
  /** Requests the value from the server; absent = no button (no permission, or nothing to reveal). */
  onReveal?: (reason: string) => Promise<string>
}

export function Masked({ value, label, onReveal }: MaskedProps): ReactNode {
  const t = useText('ui')
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<{
    full: string
    until: number
    of: string | null | undefined
  } | null>(null)
  const current = shown && shown.of === value ? shown : null

  async function reveal(reason: string): Promise<void> {
    const full = await (onReveal as NonNullable<typeof onReveal>)(reason)
    setShown({ full, until: uiNow() + REVEAL_MS, of: value })
    setOpen(false)
  }
  if (!value) return <span>—</span>
  return (
    <span className="masked">
      <span className="masked-value tabular">{current ? current.full : value}</span>
      {current && <Remask until={current.until} onEnd={() => setShown(null)} />}
      {current && (
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={t('masked.copy', { label })}
          title={t('masked.copy', { label })}
          onClick={() => void copyText(current.full)}
        />
      )}
      {onReveal && current && (
        <Button
          variant="minimal"
          size="small"
          icon="eye-off"
          aria-label={t('masked.hide', { label })}
          title={t('masked.hide', { label })}
          onClick={() => setShown(null)}
        />
      )}
      {onReveal && !current && (
        <PopoverNext
          isOpen={open}
          onInteraction={setOpen}
          placement="bottom-start"
          content={<ReasonForm label={label} onReveal={reveal} />}
        >
          <Button
            variant="minimal"
            size="small"
            icon="eye-open"
            aria-label={t('masked.reveal', { label })}
            title={t('masked.reveal', { label })}
            aria-expanded={open}
          />
        </PopoverNext>
      )}
    </span>
  )
}

function Remask({ until, onEnd }: { until: number; onEnd: () => void }): ReactNode {
  const t = useText('ui')
  const left = Math.ceil((until - useSecond()) / 1000)
  useEffect(() => {
    if (left <= 0) onEnd()
  }, [left, onEnd])
  return (
    <span className="masked-left tabular">{t('masked.left', { seconds: Math.max(0, left) })}</span>
  )
}

function ReasonForm({
  label,
  onReveal,
}: {
  label: string
  onReveal: (reason: string) => Promise<void>
}): ReactNode {
  const t = useText('ui')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const id = useId()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    if (busy) return
    const text = reason.trim()
    if (text.length < REASON.min || text.length > REASON.max) {
      setFault(t('masked.reasonLength', REASON))
      return
    }
    setBusy(true)
    try {
      await onReveal(text)
    } catch (error) {
      setFault(failureText(error))
      setBusy(false)
    }
  }
  return (
    <form className="masked-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{t('masked.reason', { label })}</label>
      <input
        id={id}
        className="bp6-input"
        autoFocus
        autoComplete="off"
        maxLength={REASON.max}
        value={reason}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => setReason(event.target.value)}
      />
      <p
        id={`${id}-note`}
        className={fault ? 'fault' : 'masked-note'}
        role={fault ? 'alert' : undefined}
      >
        {fault || t('masked.logged')}
      </p>
      <Button type="submit" intent="primary" loading={busy} text={t('masked.show')} />
    </form>
  )
}
