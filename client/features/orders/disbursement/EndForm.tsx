/** Form for the result of a transfer that no vendor reports. Another person approves it. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useSend } from '#client/session/query.ts'
import { Figures } from '#client/screen/detail/Figures.tsx'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { END_OUTCOMES, endTransfer } from '#shared/orders/disbursement-api.ts'
import type { TransferRow } from './loan-columns.ts'
import { useTransferRequest } from './use-transfer-request.ts'

interface Values {
  outcome: (typeof END_OUTCOMES)[number]
  utr: string
  reason: string
}

export function EndForm({
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
  const send = useSend(endTransfer, { quiet: true })
  const { transferId, version, platformOrderNo, vendorCode, createTime, amount } = transfer
  const { form, frame } = useTransferRequest<Values>({
    schema: endTransfer.input,
    values: { outcome: 'failed', utr: '', reason: '' },
    alsoRequired: ({ outcome }) => (outcome === 'paid' ? ['utr'] : []),
    request: ({ outcome, utr, reason }) =>
      send.mutateAsync({
        transferId,
        version,
        outcome,
        reason,
        ...(outcome === 'paid' ? { utr } : {}),
      }),
    onDone,
    onClose,
  })
  const { outcome } = useValue({ control: form.form.control }) as Values
  return (
    <FormDialog {...frame} title={ofTransfers('end.title', { platformOrderNo })}>
      <Figures className="handle-facts">
        <div>
          <dt>{t('transfer.vendor')}</dt>
          <dd>{vendorCode}</dd>
        </div>
        <div>
          <dt>{t('col.createTime')}</dt>
          <dd>
            <IstTime value={createTime} />
          </dd>
        </div>
        <div className="is-strong">
          <dt>{t('transfer.toPay')}</dt>
          <dd>
            <Money paise={amount} />
          </dd>
        </div>
      </Figures>
      <SelectField
        name="outcome"
        label={ofTransfers('end.outcome')}
        options={END_OUTCOMES.map((value) => ({ value, label: ofTransfers(`end.is.${value}`) }))}
      />
      <p className="handle-note" role="status">
        {ofTransfers(`end.effect.${outcome}`)}
      </p>
      {outcome === 'paid' && (
        <TextField name="utr" label={t('transfer.utr')} maxLength={22} help={t('handle.utrHelp')} />
      )}
      <AreaField
        name="reason"
        label={ofTransfers('end.evidence')}
        help={ofTransfers('end.evidenceHelp')}
        rows={2}
        maxLength={200}
      />
    </FormDialog>
  )
}
