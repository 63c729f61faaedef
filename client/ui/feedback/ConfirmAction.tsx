/**
 * Confirms an important action: how many rows, how much money, what cannot be undone; optionally
 * with a reason or a typed word.
 */
import '#client/ui/form/form.css'
import './confirm.css'
import { Button, Dialog, DialogBody, DialogFooter, Icon } from '@blueprintjs/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'

export interface ConfirmActionProps {
  isOpen: boolean
  title: string
  /** Number of rows affected. */
  count?: number
  /** Paise moved by it. */
  amount?: number
  /** What cannot be undone, one sentence each. */
  irreversible?: readonly string[]
  children?: ReactNode
  /** A field of the children takes the focus, which Cancel has otherwise. */
  hasFocus?: boolean
  /** Requires a reason of `min` to `max` characters. */
  reason?: { label?: string; min: number; max: number }
  /** The user must type this. */
  typeToConfirm?: string
  confirmText: string
  intent?: 'primary' | 'danger' | 'success' | 'warning'
  /** The dialog closes when it resolves and stays open when it rejects (the caller shows why). */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
}

export function ConfirmAction(props: ConfirmActionProps): ReactNode {
  const { isOpen, title, onClose } = props
  const titleId = useId()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      aria-labelledby={titleId}
      role="alertdialog"
      className="confirm"
      canOutsideClickClose={false}
    >
      <OverlayHead id={titleId} title={title} onClose={onClose} />
      {isOpen && <ConfirmBody {...props} />}
    </Dialog>
  )
}

function ConfirmBody({
  count,
  amount,
  irreversible = [],
  children,
  hasFocus = false,
  reason,
  typeToConfirm,
  confirmText,
  intent = 'danger',
  onConfirm,
  onClose,
}: ConfirmActionProps): ReactNode {
  const t = useText('ui')
  const id = useId()
  const [why, setWhy] = useState('')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const length = why.trim().length
  const reasonFault =
    reason && (length < reason.min || length > reason.max)
      ? t('confirm.reasonLength', { min: reason.min, max: reason.max })
      : ''
  const typeFault =
    typeToConfirm !== undefined && typed.trim() !== typeToConfirm
      ? t('confirm.typeExactly', { word: typeToConfirm })
      : ''

  async function submit(event: FormEvent | KeyboardEvent): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    if (reasonFault || typeFault) setTried(true)
    if (reasonFault || typeFault || sending.current) return
    sending.current = true
    setBusy(true)
    try {
      await onConfirm(why.trim())
      onClose()
    } catch {
      // The call layer has shown why; the dialog stays for another try.
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  /** As in forms; not by the key that opened the question and is still held down. */
  function keys(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (event.repeat || event.nativeEvent.isComposing) event.preventDefault()
    else void submit(event)
  }
  return (
    <form onSubmit={(event) => void submit(event)} onKeyDown={keys} noValidate>
      <DialogBody>
        {(count !== undefined || amount !== undefined) && (
          <p className="confirm-figures">
            {count !== undefined && <strong>{t('confirm.rows', { count })}</strong>}
            {amount !== undefined && (
              <strong>
                <Money paise={amount} />
              </strong>
            )}
          </p>
        )}
        {children}
        {irreversible.length > 0 && (
          <ul className="confirm-final">
            {irreversible.map((sentence) => (
              <li key={sentence}>
                <Icon icon="warning-sign" /> {sentence}
              </li>
            ))}
          </ul>
        )}
        {reason && (
          <div className="confirm-field">
            <label htmlFor={`${id}-why`}>
              {reason.label ?? t('confirm.reason')}
              {reason.min > 0 && <span aria-hidden="true">{'\u00a0*'}</span>}
            </label>
            <textarea
              id={`${id}-why`}
              className="bp6-input"
              rows={2}
              maxLength={reason.max}
              value={why}
              aria-required={reason.min > 0}
              aria-invalid={tried && reasonFault ? true : undefined}
              aria-describedby={`${id}-why-fault`}
              onChange={(event) => setWhy(event.target.value)}
              autoFocus
            />
            <p
              id={`${id}-why-fault`}
              className="fault"
              role={tried && reasonFault ? 'alert' : undefined}
            >
              {tried && reasonFault}
            </p>
          </div>
        )}
        {typeToConfirm !== undefined && (
          <div className="confirm-field">
            <label htmlFor={`${id}-type`}>{t('confirm.type', { word: typeToConfirm })}</label>
            <input
              id={`${id}-type`}
              className="bp6-input"
              autoComplete="off"
              value={typed}
              aria-invalid={tried && typeFault ? true : undefined}
              aria-describedby={`${id}-type-fault`}
              onChange={(event) => setTyped(event.target.value)}
              autoFocus={!reason}
            />
            <p
              id={`${id}-type-fault`}
              className="fault"
              role={tried && typeFault ? 'alert' : undefined}
            >
              {tried && typeFault}
            </p>
          </div>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text={t('form.cancel')}
              onClick={onClose}
              autoFocus={!reason && typeToConfirm === undefined && !hasFocus}
            />
            <ActionButton
              type="submit"
              intent={intent}
              busy={busy}
              text={confirmText}
              keys="Ctrl+Enter"
            />
          </>
        }
      />
    </form>
  )
}
