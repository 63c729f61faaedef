/** Corrects how a customer is reached. The present values are masked, so each field begins empty, and empty means unchanged. */
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { AreaField, TextField } from '#client/ui/fields.tsx'
import { FormDialog } from '#client/ui/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import { type CustomerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { useSay } from '../use-say.ts'

type Values = InputOf<typeof editContact>
const OMIT = ['userId', 'version'] as const
const FIELDS = ['phone', 'email', 'residentialAddress', 'city', 'postcode'] as const

export function EditContact({ detail: { userId, name, version }, onDone, onClose }: { detail: CustomerDetail; onDone: () => void; onClose: () => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const send = useSend(editContact, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: editContact.input,
    omit: OMIT,
    values: { userId, version, phone: '', email: '', residentialAddress: '', city: '', postcode: '', reason: '' },
    check: atLeastOne,
    onSubmit: (values) => send.mutateAsync(values),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('edit.done'), key: `edit-contact:${userId}` })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog isOpen title={t('edit.title', { name })} form={form} submitText={t('edit.save')} submitRefused={offline} onClose={onClose}>
      <p className="customer-muted">{t('edit.keep')}</p>
      <TextField name="phone" label={t('col.phone')} maxLength={10} />
      <TextField name="email" label={t('edit.email')} maxLength={120} />
      <AreaField name="residentialAddress" label={t('edit.address')} rows={2} maxLength={300} />
      <TextField name="city" label={t('edit.city')} maxLength={60} />
      <TextField name="postcode" label={t('edit.postcode')} maxLength={6} />
      <AreaField name="reason" label={t('edit.reason')} rows={2} maxLength={200} />
    </FormDialog>
  )
}

function atLeastOne(values: Values): Record<string, { key: string; params: Record<string, never> }> {
  return FIELDS.some((field) => values[field]) ? {} : { phone: { key: 'customers:edit.nothing', params: {} } }
}
