/**
 * All of one payment: its facts, what it was allocated to, and who booked, confirmed and reversed
 * it.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { CallError } from '#client/session/call-error.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { recordDetail } from '#shared/repayments/repayments-api.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import { RecordActions, useActsOn } from '../detail/RecordActions.tsx'
import { type PaymentToConfirm, ConfirmPayment } from '../forms/ConfirmPayment.tsx'
import type { RecordDetail, RecordRow } from '../payment-types.ts'
import { CountedTable } from './CountedTable.tsx'
import { RecordFacts } from './RecordFacts.tsx'

const EVENTS = [REPAYMENT_CHANGED.type, APPROVAL_CHANGED.type]

export function RecordDrawer({
  recordId,
  onRow,
  onClose,
}: {
  recordId: string
  onRow: (row: RecordRow) => void
  onClose: () => void
}): ReactNode {
  // those of its table, too: what waits inside an open drawer loses the focus, and Esc with it
  const t = useText('repayments', 'ledger')
  const { data, error, refetch } = useQuery(queryOf(recordDetail, { recordId }, { quiet: true }))
  const reread = useCallback(() => void refetch(), [refetch])
  const rereadSoon = useThrottled(reread)
  const [confirming, setConfirming] = useState<PaymentToConfirm | null>(null)
  useLive(EVENTS, (events) => {
    if (
      events.some(
        ({ data: { recordId: id, targetId } }) => id === recordId || targetId === recordId,
      )
    )
      rereadSoon()
  })
  const isMissing = error instanceof CallError && error.problem?.id === NOT_FOUND.id
  return (
    <SideDrawer isOpen width={680} title={t('record.title', { recordId })} onClose={onClose}>
      {isMissing ? (
        <Empty icon="search" reason={t('record.missing')} />
      ) : data ? (
        <Look detail={data} onConfirm={setConfirming} onChanged={reread} />
      ) : error ? (
        <ErrorPane error={error} onRetry={reread} />
      ) : (
        <div className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />
      )}
      <ConfirmPayment
        payment={confirming}
        onRow={(row) => {
          onRow(row)
          reread()
        }}
        onClose={() => setConfirming(null)}
      />
    </SideDrawer>
  )
}

function Look({
  detail,
  onConfirm,
  onChanged,
}: {
  detail: RecordDetail
  onConfirm: (payment: PaymentToConfirm) => void
  onChanged: () => void
}): ReactNode {
  const acts = useActsOn([detail.record])
  return (
    <>
      <div className="record-look">
        <RecordFacts detail={detail} />
        <CountedTable detail={detail} />
      </div>
      {acts && (
        <div className="form-buttons">
          <RecordActions record={detail.record} onConfirm={onConfirm} onChanged={onChanged} />
        </div>
      )}
    </>
  )
}
