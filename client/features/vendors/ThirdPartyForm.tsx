import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { VENDOR_KINDS } from '#shared/vendors/vendor-kinds.ts'
import { addThirdParty } from '#shared/vendors/vendors-api.ts'

type Values = InputOf<typeof addThirdParty>

export function ThirdPartyForm({
  onDone,
  onClose,
}: {
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('vendors')
  const { reason: offline } = useConnection()
  const send = useSend(addThirdParty, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: addThirdParty.input,
    values: { code: '', name: '', kind: '' as Values['kind'], site: '' },
    onSubmit: (values) => send.mutateAsync(values),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('partySaved'), key: 'vendors' })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('action.thirdParty')}
      form={form}
      submitText={t('save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <TextField name="code" label={t('col.thirdPartyCode')} help={t('help.code')} maxLength={40} />
      <TextField name="name" label={t('col.name')} maxLength={60} />
      <SelectField
        name="kind"
        label={t('col.kind')}
        options={VENDOR_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <TextField name="site" label={t('col.site')} maxLength={300} placeholder="https://" />
    </FormDialog>
  )
}
