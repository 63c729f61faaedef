/** A payment link for a borrower: the amount and the channel it is sent by. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { MoneyField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { LINK_HOURS, LINK_WAYS } from '#shared/repayments/link-sets.ts'
import { sendLink } from '#shared/repayments/links-api.ts'

export interface LinkFormProps {
  planId: string
  /** Paise: the maximum, and the amount filled in at first. */
  due: number
  onDone?: () => void
  onClose: () => void
}

const OMIT = ['planId'] as const

export function LinkForm({ planId, due, onDone, onClose }: LinkFormProps): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const send = useSend(sendLink, { quiet: true })
  const form = useSchemaForm<InputOf<typeof sendLink>>({
    schema: sendLink.input,
    omit: OMIT,
    values: { planId, amount: due, way: 'sms' },
    check: ({ amount }) =>
      (amount ?? 0) > due ? { amount: { key: 'repayments:fault.linkAmount', params: {} } } : null,
    async onSubmit(values) {
      const { linkId } = await send.mutateAsync(values)
      void showMessage({
        intent: 'success',
        message: t('link.done', { linkId }),
        key: `link:${linkId}`,
      })
      onDone?.()
    },
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      title={t('link.title')}
      form={form}
      submitText={t('link.submit')}
      submitRefused={offline}
      onClose={onClose}
    >
      <MoneyField name="amount" label={t('col.amount')} />
      <SelectField
        name="way"
        label={t('link.way')}
        options={LINK_WAYS.map((value) => ({ value, label: t(`link.by.${value}`) }))}
      />
      <p className="money-note">{t('link.hint', { hours: LINK_HOURS })}</p>
    </FormDialog>
  )
}
