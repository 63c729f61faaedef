/**
 * Confirms a retry or cancellation of failed disbursements: count, amount, and the excluded rows
 * with reasons.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isUnanswered } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { BulkDrawer } from '#client/screen/BulkDrawer.tsx'
import { ExcludedRows } from '#client/screen/ExcludedRows.tsx'
import type { Bulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import {
  cancelDisbursement,
  payoutVendors,
  type previewFailed,
  redisburse,
} from '#shared/orders/disbursement-api.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { PayoutWay, type Way } from './PayoutWay.tsx'

export interface RetryRequest extends DataOf<typeof previewFailed> {
  action: InputOf<typeof previewFailed>['action']
}

export function RetryQuestion({
  request,
  run,
  onClose,
}: {
  request: RetryRequest
  /** Runs the call and shows the rows it refused. */
  run: Bulk['run']
  onClose: () => void
}): ReactNode {
  const { action } = request
  const t = useText('orders', 'problems')
  const again = useSend(redisburse)
  const giveUp = useSend(cancelDisbursement)
  const [way, setWay] = useState<Way>({})
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    enabled: action === 'redisburse',
    staleTime: 0,
  })
  const meant = [...request.ready, ...request.toApprove]
  const none = meant.length === 0

  async function send(orderIds: string[], reason: string): Promise<BulkResult> {
    if (action === 'cancel') return giveUp.mutateAsync({ orderIds, reason })
    const { asked: second, ...result } = await again
      .mutateAsync({ orderIds, ...way })
      .catch((error: unknown) => {
        // the vendor may have been switched off since; without an answer the same is sent again
        if (!isUnanswered(error)) {
          setWay({ transferType: way.transferType })
          void vendors.refetch()
        }
        throw error
      })
    if (second.length > 0)
      void showMessage({
        intent: 'primary',
        message: t('wait.done.asked', { count: second.length }),
        key: 'wait-asked',
      })
    return result
  }
  return (
    <>
      <ConfirmAction
        isOpen={!none}
        intent={action === 'redisburse' ? 'primary' : 'danger'}
        title={t(`wait.ask.${action}`)}
        count={meant.length}
        amount={request.amount + request.toApproveAmount}
        irreversible={action === 'cancel' ? [t('handle.effect.cancel')] : []}
        {...(action === 'cancel' ? { reason: { min: 4, max: 200 } } : {})}
        confirmText={t(`wait.${action}`)}
        onConfirm={(reason) =>
          run(
            meant,
            (orderIds) => send(orderIds, reason),
            false,
            (count) => t(`wait.done.${action}`, { count }),
          )
        }
        onClose={onClose}
      >
        {request.toApprove.length > 0 && (
          <p className="wait-approve">
            {t('wait.toApprove', {
              count: request.toApprove.length,
              amount: formatPaise(request.toApproveAmount),
            })}
          </p>
        )}
        <ExcludedRows
          rows={request.excluded.map(({ orderId, reason }) => ({
            id: orderId,
            why: t(`problems:orderRule.${reason}`),
          }))}
        />
        {action === 'redisburse' && (
          <PayoutWay way={way} vendors={vendors.data} onChange={setWay} />
        )}
      </ConfirmAction>
      {none && (
        <BulkDrawer
          run={{
            ids: request.excluded.map(({ orderId }) => orderId),
            result: {
              ok: [],
              failed: request.excluded.map(({ orderId, reason }) => ({
                id: orderId,
                code: ORDER_RULE.code,
                msg: reason,
                problem: ORDER_RULE.id,
                params: { reason },
              })),
            },
          }}
          onClose={onClose}
        />
      )}
    </>
  )
}
