import { Dialog, Drawer } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FormBody, type FormBodyProps, useLeaveGuard } from './FormBody.tsx'
import { OverlayHead } from './OverlayHead.tsx'

export interface FormOverlayProps<Values extends FieldValues> extends Omit<FormBodyProps<Values>, 'onCancel'> {
  isOpen: boolean
  title: string
  /** Also called after a successful send when the form's `onDone` does so. */
  onClose: () => void
  /** px */
  width?: number
}

/** A form at the right edge, the list beside it stays visible. Focus returns to where it was. */
export function FormDrawer<Values extends FieldValues>({ isOpen, title, onClose, width = 480, ...body }: FormOverlayProps<Values>): ReactNode {
  const titleId = useId()
  const { leave, question } = useLeaveGuard(body.form.isDirty, onClose)
  return (
    <Drawer isOpen={isOpen} onClose={leave} aria-labelledby={titleId} size={`min(${width}px, 94vw)`} className="form-drawer" canOutsideClickClose={!body.form.isDirty}>
      <OverlayHead id={titleId} title={title} onClose={leave} />
      <FormBody {...body} onCancel={leave} />
      {question}
    </Drawer>
  )
}

/** The same form in the middle, for short ones. */
export function FormDialog<Values extends FieldValues>({ isOpen, title, onClose, width = 480, ...body }: FormOverlayProps<Values>): ReactNode {
  const titleId = useId()
  const { leave, question } = useLeaveGuard(body.form.isDirty, onClose)
  return (
    <Dialog isOpen={isOpen} onClose={leave} aria-labelledby={titleId} style={{ width }} className="form-dialog" canOutsideClickClose={!body.form.isDirty}>
      <OverlayHead id={titleId} title={title} onClose={leave} />
      <FormBody {...body} onCancel={leave} />
      {question}
    </Dialog>
  )
}
