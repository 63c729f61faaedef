import { Dialog } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FormBody, type FormBodyProps, useLeaveGuard } from './FormBody.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'

export interface FormOverlayProps<Values extends FieldValues> extends Omit<
  FormBodyProps<Values>,
  'onCancel'
> {
  isOpen: boolean
  title: string
  /** Also called after a successful send when the form's `onDone` does so. */
  onClose: () => void
  /** px */
  width?: number
}

/** A form at the right edge. Focus returns to where it was. */
export function FormDrawer<Values extends FieldValues>({
  isOpen,
  title,
  onClose,
  width,
  ...body
}: FormOverlayProps<Values>): ReactNode {
  const { leave, question } = useLeaveGuard(body.form.isDirty, onClose)
  return (
    <SideDrawer
      isOpen={isOpen}
      title={title}
      onClose={leave}
      {...(width === undefined ? {} : { width })}
      canOutsideClickClose={!body.form.isDirty}
    >
      <FormBody {...body} onCancel={leave} />
      {question}
    </SideDrawer>
  )
}

/** The same form in the middle, for short ones. */
export function FormDialog<Values extends FieldValues>({
  isOpen,
  title,
  onClose,
  width = 480,
  ...body
}: FormOverlayProps<Values>): ReactNode {
  const titleId = useId()
  const { leave, question } = useLeaveGuard(body.form.isDirty, onClose)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      aria-labelledby={titleId}
      style={{ width }}
      className="form-dialog"
      canOutsideClickClose={!body.form.isDirty}
    >
      <OverlayHead id={titleId} title={title} onClose={leave} />
      <FormBody {...body} onCancel={leave} />
      {question}
    </Dialog>
  )
}
