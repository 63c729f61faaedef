/** A form that is asked about once more before it is sent. What it would be refused for is marked first: nobody is asked about that. */
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ConfirmActionProps } from './ConfirmAction.tsx'
import type { SchemaForm } from './useSchemaForm.ts'

/**
 * @param isWeighty whether what was typed is asked about; without it the form is sent as it is
 * @returns the form to show, and what its ConfirmAction takes: a refusal stands on the form, with all that was typed
 */
export function useSubmitQuestion<Values extends FieldValues>(
  form: SchemaForm<Values>,
  isWeighty: () => boolean = () => true,
): [SchemaForm<Values>, Pick<ConfirmActionProps, 'isOpen' | 'onConfirm' | 'onClose'>] {
  const [isOpen, setOpen] = useState(false)
  const submit = async (): Promise<void> => {
    // faults are marked, and counted, by sending
    if (isWeighty() && (await form.form.trigger())) setOpen(true)
    else await form.submit()
  }
  return [
    { ...form, submit },
    { isOpen, onConfirm: form.submit, onClose: () => setOpen(false) },
  ]
}
