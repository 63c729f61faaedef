/** Says which of two results of a transfer is true. Another person approves it. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { alsoRequired, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { CONFLICT_OUTCOMES, resolveTransfer } from '#shared/orders/disbursement-api.ts'
import { codeWord } from '../order-words.ts'
import type { TransferRow } from './loan-columns.ts'

interface Values {
  outcome: (typeof CONFLICT_OUTCOMES)[number]
  utr: string
  reason: string
}

const OMIT = ['transferId', 'version'] as const

export function ResolveForm({
  transfer,
  onDone,
  onClose,
}: {
  transfer: TransferRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('orders')
  const text = useText('orders')
  const { reason: offline } = useConnection()
  const send = useSend(resolveTransfer, { quiet: true })
  const { transferId, version, platformOrderNo, payState, conflict } = transfer
  // a loan runs whose money did not arrive: it was sent by hand instead
  const needsUtr = (outcome: Values['outcome']) => outcome === 'notPaid' && payState === 'success'
  const form = useSchemaForm<Values>({
    schema: resolveTransfer.input,
    omit: OMIT,
    values: { outcome: 'paid', utr: '', reason: '' },
    check: ({ outcome, utr }) =>
      needsUtr(outcome) && !utr.trim() ? { utr: { key: 'ui:fault.required', params: {} } } : null,
    async onSubmit({ outcome, utr, reason }) {
      const given = needsUtr(outcome) ? { utr } : {}
      const { approvalId } = await send.mutateAsync({
        transferId,
        version,
        outcome,
        reason,
        ...given,
      })
      void showMessage({
        intent: 'success',
        message: t('resolve.done', { approvalId }),
        key: `approval:${approvalId}`,
      })
      onDone()
    },
    onDone: onClose,
  })
  const { outcome } = useValue({ control: form.form.control }) as Values
  return (
    <FormDialog
      isOpen
      width={560}
      title={t('resolve.title', { platformOrderNo })}
      form={alsoRequired(form, needsUtr(outcome) ? ['utr'] : [])}
      submitText={t('resolve.submit')}
      submitRefused={offline}
      onClose={onClose}
    >
      <dl className="order-figures handle-facts">
        <div>
          <dt>{t('resolve.first')}</dt>
          <dd>{codeWord('pay', payState, text)}</dd>
        </div>
        <div>
          <dt>{t('resolve.second')}</dt>
          <dd>{codeWord('pay', conflict ?? '', text)}</dd>
        </div>
        <div className="is-strong">
          <dt>{t('transfer.toPay')}</dt>
          <dd>
            <Money paise={transfer.amount} />
          </dd>
        </div>
      </dl>
      <SelectField
        name="outcome"
        label={t('resolve.outcome')}
        options={CONFLICT_OUTCOMES.map((value) => ({ value, label: t(`resolve.is.${value}`) }))}
      />
      <p className="handle-note" role="status">
        {t(`resolve.effect.${payState === 'success' ? 'success' : 'fail'}.${outcome}`)}
      </p>
      {needsUtr(outcome) && (
        <TextField name="utr" label={t('transfer.utr')} maxLength={22} help={t('handle.utrHelp')} />
      )}
      <AreaField name="reason" label={t('handle.reason')} rows={2} maxLength={200} />
    </FormDialog>
  )
}
