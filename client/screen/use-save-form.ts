import type { FieldValues } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import {
  type SchemaForm,
  type SchemaFormOptions,
  useSchemaForm,
} from '#client/ui/form/use-schema-form.ts'

export interface SaveFormOptions<Values extends FieldValues> extends Omit<
  SchemaFormOptions<Values>,
  'onDone'
> {
  /** Said when it is saved. */
  saved: string | ((values: Values) => string)
  onDone?: () => void
  onClose: () => void
}

export interface SaveForm<Values extends FieldValues> {
  form: SchemaForm<Values>
  /** For the FormDrawer or FormDialog around the fields. */
  frame: {
    isOpen: true
    form: SchemaForm<Values>
    submitRefused: string | null
    onClose: () => void
  }
}

/** A form that closes with a message when it is saved, and cannot be sent offline. */
export function useSaveForm<Values extends FieldValues>({
  saved,
  onDone,
  onClose,
  ...options
}: SaveFormOptions<Values>): SaveForm<Values> {
  const { reason: offline } = useConnection()
  const form: SchemaForm<Values> = useSchemaForm<Values>({
    ...options,
    onDone: () => {
      const message = typeof saved === 'string' ? saved : saved(form.form.getValues())
      void showMessage({ intent: 'success', message, key: 'saved' })
      onDone?.()
      onClose()
    },
  })
  return { form, frame: { isOpen: true, form, submitRefused: offline, onClose } }
}
