/** Books money that left beside a loan and came back. Another person approves it. */
import '../orders.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useSend } from '#client/session/query.ts'
import { Figures } from '#client/screen/detail/Figures.tsx'
import { AreaField, MoneyField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { bookStrayReturn } from '#shared/orders/disbursement-api.ts'
import type { TransferRow } from './loan-columns.ts'
import { useTransferRequest } from './use-transfer-request.ts'

interface Values {
  amount: number | null
  utr: string
  reason: string
}

export function ReturnForm({
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
  const send = useSend(bookStrayReturn, { quiet: true })
  const { transferId, version, platformOrderNo, strayOpen } = transfer
  const { frame } = useTransferRequest<Values>({
    schema: bookStrayReturn.input,
    values: { amount: strayOpen, utr: '', reason: '' },
    check: ({ amount }) =>
      amount !== null && amount > strayOpen
        ? { amount: { key: 'transfers:stray.tooMuch', params: {} } }
        : null,
    request: ({ amount, utr, reason }) =>
      send.mutateAsync({
        transferId,
        version,
        amount: amount ?? 0,
        utr,
        reason,
      }),
    onDone,
    onClose,
  })
  return (
    <FormDialog {...frame} title={ofTransfers('stray.title', { platformOrderNo })}>
      <Figures className="handle-facts">
        <div>
          <dt>{t('transfer.amount')}</dt>
          <dd>
            <Money paise={transfer.amount} />
          </dd>
        </div>
        <div className="is-strong">
          <dt>{t('transfer.conflictIs.stray')}</dt>
          <dd>
            <Money paise={strayOpen} />
          </dd>
        </div>
      </Figures>
      <p className="handle-note" role="status">
        {ofTransfers('stray.effect')}
      </p>
      <MoneyField name="amount" label={ofTransfers('stray.amount')} />
      <TextField
        name="utr"
        label={t('transfer.utr')}
        maxLength={22}
        help={ofTransfers('stray.utrHelp')}
      />
      <AreaField name="reason" label={t('handle.reason')} rows={2} maxLength={200} />
    </FormDialog>
  )
}
