/**
 * A form with a confirmation before it is sent. Its errors are shown first, without a confirmation.
 */
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ConfirmActionProps } from '#client/ui/feedback/ConfirmAction.tsx'
import type { SchemaForm } from './use-schema-form.ts'

/**
 * @param isWeighty whether these values need a confirmation; without it the form is sent directly
 * @returns the form to show, and the props of its ConfirmAction: a refusal is shown on the form,
 * which keeps all input
 */
export function useSubmitQuestion<Values extends FieldValues>(
  form: SchemaForm<Values>,
  isWeighty: () => boolean = () => true,
): [SchemaForm<Values>, Pick<ConfirmActionProps, 'isOpen' | 'onConfirm' | 'onClose'>] {
  const [isOpen, setOpen] = useState(false)
  const submit = async (): Promise<void> => {
    // Sending shows and counts the errors.
    if (isWeighty() && (await form.form.trigger())) setOpen(true)
    else await form.submit()
  }
  return [
    { ...form, submit },
    { isOpen, onConfirm: form.submit, onClose: () => setOpen(false) },
  ]
}
