import type { FieldValues } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import {
  type SchemaForm,
  type SchemaFormOptions,
  useSchemaForm,
} from '#client/ui/form/use-schema-form.ts'

interface TransferRequest<Values extends FieldValues> extends Pick<
  SchemaFormOptions<Values>,
  'schema' | 'values' | 'check' | 'alsoRequired'
> {
  request: (values: Values) => Promise<{ approvalId: string | null }>
  onDone: () => void
  onClose: () => void
}

const OMIT = ['transferId', 'version'] as const

/** A form about the money of a transfer: its request waits for another person. */
export function useTransferRequest<Values extends FieldValues>({
  request,
  onDone,
  onClose,
  ...options
}: TransferRequest<Values>): {
  form: SchemaForm<Values>
  /** For the FormDialog around the fields. */
  frame: {
    isOpen: true
    width: number
    form: SchemaForm<Values>
    submitText: string
    submitRefused: string | null
    onClose: () => void
  }
} {
  const t = useText('transfers')
  const { reason: offline } = useConnection()
  const form = useSchemaForm<Values>({
    ...options,
    omit: OMIT,
    async onSubmit(values) {
      const { approvalId } = await request(values)
      void showMessage({
        intent: 'success',
        message: t('resolve.done', { approvalId }),
        key: `approval:${approvalId}`,
      })
      onDone()
    },
    onDone: onClose,
  })
  const submitText = t('resolve.submit')
  return {
    form,
    frame: { isOpen: true, width: 560, form, submitText, submitRefused: offline, onClose },
  }
}
