/**
 * Confirms a retry or cancellation of failed disbursements: count, amount, and the excluded rows
 * with reasons. Afterwards it lists the refused rows.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ExcludedRows } from '#client/screen/ExcludedRows.tsx'
import { RefusedRows } from '#client/screen/RefusedRows.tsx'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import {
  cancelDisbursement,
  payoutVendors,
  type previewFailed,
  redisburse,
} from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { PayoutWay, type Way } from './PayoutWay.tsx'

export interface RetryRequest extends DataOf<typeof previewFailed> {
  action: InputOf<typeof previewFailed>['action']
}

export function RetryQuestion({
  request,
  onDone,
  onClose,
}: {
  request: RetryRequest | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('orders')
  const text = useText('orders')
  const again = useSend(redisburse)
  const giveUp = useSend(cancelDisbursement)
  const [way, setWay] = useState<Way>({})
  const action = request?.action ?? 'redisburse'
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    enabled: request !== null && action === 'redisburse',
    staleTime: 0,
  })
  const { run, refused } = useBulk({
    key: 'wait',
    done: (count) => text(`wait.done.${action}`, { count }),
    onDone,
  })
  const meant = request === null ? [] : [...request.ready, ...request.toApprove]
  const none = request !== null && meant.length === 0

  async function act(meantIds: readonly string[], reason: string): Promise<void> {
    await run(meantIds, async (orderIds) => {
      if (action === 'cancel') return giveUp.mutateAsync({ orderIds, reason })
      const { asked: second, ...result } = await again
        .mutateAsync({ orderIds, vendorCode: vendors.data?.current, ...way })
        .catch((error: unknown) => {
          // the active vendor may have changed since
          setWay({ transferType: way.transferType })
          void vendors.refetch()
          throw error
        })
      if (second.length > 0)
        void showMessage({
          intent: 'primary',
          message: t('wait.done.asked', { count: second.length }),
          key: 'wait-asked',
        })
      return result
    })
  }
  const close = () => {
    setWay({})
    onClose()
  }
  return (
    <>
      <ConfirmAction
        isOpen={request !== null && !none}
        intent={action === 'redisburse' ? 'primary' : 'danger'}
        title={t(`wait.ask.${action}`)}
        count={meant.length}
        amount={(request?.amount ?? 0) + (request?.toApproveAmount ?? 0)}
        irreversible={action === 'cancel' ? [t('handle.effect.cancel')] : []}
        {...(action === 'cancel' ? { reason: { min: 4, max: 200 } } : {})}
        confirmText={t(`wait.${action}`)}
        onConfirm={(reason) => act(meant, reason)}
        onClose={close}
      >
        {request !== null && request.toApprove.length > 0 && (
          <p className="wait-approve">
            {t('wait.toApprove', {
              count: request.toApprove.length,
              amount: formatPaise(request.toApproveAmount),
            })}
          </p>
        )}
        <ExcludedRows
          rows={(request?.excluded ?? []).map(({ orderId, reason }) => ({
            id: orderId,
            why: text(`orders:rule.${reason}`),
          }))}
        />
        {action === 'redisburse' && (
          <PayoutWay way={way} vendors={vendors.data} onChange={setWay} />
        )}
      </ConfirmAction>
      {refused}
      <RefusedRows
        failed={
          none
            ? request.excluded.map(({ orderId, reason }) => ({
                id: orderId,
                code: ORDER_RULE.code,
                msg: reason,
                problem: ORDER_RULE.id,
                params: { reason },
              }))
            : []
        }
        onClose={onClose}
      />
    </>
  )
}
