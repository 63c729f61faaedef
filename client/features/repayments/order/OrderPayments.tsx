/** Payments of one order, including failed and reversed ones; kept current by live events. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import { RecordsTable } from '../detail/RecordsTable.tsx'
import { type PaymentToConfirm, ConfirmPayment } from '../forms/ConfirmPayment.tsx'

const EVENTS = [REPAYMENT_CHANGED.type]
const APPROVALS = [APPROVAL_CHANGED.type]

export function OrderPayments({ orderId }: { orderId: string }): ReactNode {
  const t = useText('repayments')
  const { data, error, refetch } = useQuery(
    queryOf(listRecords, { orderId, pageSize: 200, sort: 'payTime:desc' }, { quiet: true }),
  )
  const rereadSoon = useThrottled(useCallback(() => void refetch(), [refetch]))
  const [confirming, setConfirming] = useState<PaymentToConfirm | null>(null)
  useLive(EVENTS, (events) => {
    if (events.some((event) => event.data.orderId === orderId)) rereadSoon()
  })
  // the event of a request names the payment only
  useLive(APPROVALS, (events) => {
    const isOurs = (targetId: unknown) =>
      data?.rows.some(({ recordId }) => recordId === targetId) ?? true
    if (events.some((event) => isOurs(event.data.targetId))) rereadSoon()
  })
  if (!data)
    return error ? (
      <ErrorPane error={error} onRetry={() => void refetch()} />
    ) : (
      <div className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />
    )
  if (data.rows.length === 0) return <Empty icon="bank-account" reason={t('list.noRecords')} />
  return (
    <>
      <RecordsTable
        records={data.rows}
        label={t('menu.repay_record')}
        onConfirm={setConfirming}
        onChanged={() => void refetch()}
      />
      <ConfirmPayment
        payment={confirming}
        onRow={() => void refetch()}
        onClose={() => setConfirming(null)}
      />
    </>
  )
}
