import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { AreaField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { remarkOrder } from '#shared/orders/orders-api.ts'

interface Values {
  orderId: string
  remark: string
}
const OMIT = ['orderId'] as const

/** A note on an order, for everyone who opens it later. */
export function RemarkOrder({
  orderId,
  onDone,
  onClose,
}: {
  orderId: string
  onDone?: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('orders')
  const { reason } = useConnection()
  const send = useSend(remarkOrder, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: remarkOrder.input,
    values: { orderId, remark: '' },
    omit: OMIT,
    onSubmit: (values) => send.mutateAsync({ ...values, remark: values.remark.trim() }),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('remark.done'), key: `remark:${orderId}` })
      onDone?.()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('remark.title', { orderId })}
      form={form}
      submitText={t('remark.save')}
      submitRefused={reason}
      onClose={onClose}
    >
      <AreaField
        name="remark"
        label={t('remark.label')}
        rows={4}
        maxLength={500}
        help={t('remark.help')}
      />
    </FormDialog>
  )
}
