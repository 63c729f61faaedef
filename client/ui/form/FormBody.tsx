/**
 * Shared by drawer and dialog: fields, error summary, refusal, buttons, Ctrl+Enter, guard against
 * leaving with unsaved input.
 */
import './form.css'
import '#client/ui/feedback/confirm.css'
import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { focusFault } from './focus-field.ts'
import type { SchemaForm } from './use-schema-form.ts'

const RequiredContext = createContext<ReadonlySet<string>>(new Set())

export function useRequired(name: string): boolean {
  return useContext(RequiredContext).has(name)
}

/** The required marks of a form with a layout of its own. */
export function RequiredFields({
  names,
  children,
}: {
  names: ReadonlySet<string>
  children: ReactNode
}): ReactNode {
  return <RequiredContext value={names}>{children}</RequiredContext>
}

export interface FormBodyProps<Values extends FieldValues> {
  form: SchemaForm<Values>
  children: ReactNode
  submitText?: string
  /** Why it cannot be sent now (offline, no permission). */
  submitRefused?: string | null
  intent?: 'primary' | 'danger' | 'success'
  /** False where something beside the form comes first: leaving its first field would mark it. */
  takesFocus?: boolean
  /** Buttons left of Cancel. */
  extra?: ReactNode
  onCancel?: () => void
}

export function FormBody<Values extends FieldValues>({
  form,
  children,
  submitText,
  submitRefused,
  intent = 'primary',
  takesFocus = true,
  extra,
  onCancel,
}: FormBodyProps<Values>): ReactNode {
  const t = useText('ui')
  const faults = Object.keys(form.form.formState.errors).length
  const element = useRef<HTMLFormElement>(null)
  const isFirst = useRef(takesFocus)
  // The overlay does not move the focus when it is inside already.
  useLayoutEffect(() => {
    if (isFirst.current)
      element.current
        ?.querySelector<HTMLElement>(
          'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)',
        )
        ?.focus()
  }, [])
  // the reason is shown after a try: the strip at the top of the page is behind the form
  const [wasRefused, setWasRefused] = useState(false)
  function send(): void {
    setWasRefused(Boolean(submitRefused))
    if (!submitRefused) void form.submit()
  }
  const { attempts } = form
  useEffect(() => {
    if (attempts > 0) focusFault(element.current)
  }, [attempts])
  function keys(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing)
      return
    event.preventDefault()
    send()
  }
  return (
    <FormProvider {...form.form}>
      <RequiredContext value={form.required}>
        <form
          className="form"
          ref={element}
          noValidate
          onKeyDown={keys}
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            send()
          }}
        >
          <div className="form-fields">
            {form.attempts > 0 && faults > 0 && (
              <p className="form-summary" role="alert">
                {t('form.faults', { count: faults })}
              </p>
            )}
            {wasRefused && submitRefused && (
              <Callout intent="warning" icon="disable" className="form-refusal" role="alert">
                {submitRefused}
              </Callout>
            )}
            {form.refusal && (
              <Callout intent="danger" icon="error" className="form-refusal" role="alert">
                {form.refusal}
              </Callout>
            )}
            {children}
          </div>
          <div className="form-buttons">
            {extra}
            {onCancel && <Button text={t('form.cancel')} onClick={onCancel} />}
            <ActionButton
              type="submit"
              intent={intent}
              busy={form.busy}
              disabledReason={submitRefused}
              keys="Ctrl+Enter"
              text={submitText ?? t('form.save')}
            />
          </div>
        </form>
      </RequiredContext>
    </FormProvider>
  )
}

/** Confirms before unsaved input is dropped: call `leave` instead of closing, render `question`. */
export function useLeaveGuard(
  isDirty: boolean,
  onClose: () => void,
): { leave: () => void; question: ReactNode } {
  const t = useText('ui')
  const titleId = useId()
  const [confirming, setConfirming] = useState(false)
  const leave = useCallback(() => (isDirty ? setConfirming(true) : onClose()), [isDirty, onClose])
  const question = (
    <Dialog
      isOpen={confirming}
      onClose={() => setConfirming(false)}
      aria-labelledby={titleId}
      role="alertdialog"
      className="confirm"
    >
      <OverlayHead id={titleId} title={t('form.leaveTitle')} onClose={() => setConfirming(false)} />
      <DialogBody>{t('form.leaveText')}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button autoFocus text={t('form.stay')} onClick={() => setConfirming(false)} />
            <Button
              intent="danger"
              text={t('form.drop')}
              onClick={() => {
                setConfirming(false)
                onClose()
              }}
            />
          </>
        }
      />
    </Dialog>
  )
  return { leave, question }
}
