/** Form that decides which of two results of a transfer holds. Another person approves it. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useSend } from '#client/session/query.ts'
import { Figures } from '#client/screen/detail/Figures.tsx'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { CONFLICT_OUTCOMES, resolveTransfer } from '#shared/orders/disbursement-api.ts'
import { codeWord } from '../order-words.ts'
import type { TransferRow } from './loan-columns.ts'
import { useTransferRequest } from './use-transfer-request.ts'

interface Values {
  outcome: (typeof CONFLICT_OUTCOMES)[number]
  utr: string
  reason: string
}

export function ResolveForm({
  transfer,
  onDone,
  onClose,
}: {
  transfer: TransferRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('orders')
  const ofTransfers = useText('transfers')
  const text = useText('orders')
  const send = useSend(resolveTransfer, { quiet: true })
  const { transferId, version, platformOrderNo, payState, conflict } = transfer
  // a loan runs whose money did not arrive: it was sent by hand instead
  const needsUtr = (outcome: Values['outcome']) => outcome === 'notPaid' && payState === 'success'
  const { form, frame } = useTransferRequest<Values>({
    schema: resolveTransfer.input,
    values: { outcome: 'paid', utr: '', reason: '' },
    alsoRequired: ({ outcome }) => (needsUtr(outcome) ? ['utr'] : []),
    request: ({ outcome, utr, reason }) =>
      send.mutateAsync({
        transferId,
        version,
        outcome,
        reason,
        ...(needsUtr(outcome) ? { utr } : {}),
      }),
    onDone,
    onClose,
  })
  const { outcome } = useValue({ control: form.form.control }) as Values
  return (
    <FormDialog {...frame} title={ofTransfers('resolve.title', { platformOrderNo })}>
      <Figures className="handle-facts">
        <div>
          <dt>{ofTransfers('resolve.first')}</dt>
          <dd>{codeWord('pay', payState, text)}</dd>
        </div>
        <div>
          <dt>{ofTransfers('resolve.second')}</dt>
          <dd>{codeWord('pay', conflict ?? '', text)}</dd>
        </div>
        <div className="is-strong">
          <dt>{t('transfer.toPay')}</dt>
          <dd>
            <Money paise={transfer.amount} />
          </dd>
        </div>
      </Figures>
      <SelectField
        name="outcome"
        label={ofTransfers('resolve.outcome')}
        options={CONFLICT_OUTCOMES.map((value) => ({
          value,
          label: ofTransfers(`resolve.is.${value}`),
        }))}
      />
      <p className="handle-note" role="status">
        {ofTransfers(`resolve.effect.${payState === 'success' ? 'success' : 'fail'}.${outcome}`)}
      </p>
      {needsUtr(outcome) && (
        <TextField name="utr" label={t('transfer.utr')} maxLength={22} help={t('handle.utrHelp')} />
      )}
      <AreaField name="reason" label={t('handle.reason')} rows={2} maxLength={200} />
    </FormDialog>
  )
}
