/**
 * Asks for a reason and cancels the order. If the order has changed state meanwhile, the dialog
 * shows that and closes; if only its version has changed, the row is refreshed.
 */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { cancelOrder } from '#shared/orders/orders-api.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { canCancel } from './order-rules.ts'
import type { OrderRow } from './order-types.ts'
import { statusWord } from './order-words.ts'
import { OrderStatusTag } from './public.tsx'

export interface CancelOrderProps {
  /** The order in its current state; null when the dialog is closed. */
  order: OrderRow | null
  /** Called with fresh rows: the cancelled order, or its state if it had changed before. */
  onRow: (row: OrderRow) => void
  onClose: () => void
}

export function CancelOrder({ order, onRow, onClose }: CancelOrderProps): ReactNode {
  const t = useText('orders')
  const send = useSend(cancelOrder)
  const sending = useRef(false)
  const isLost = order !== null && !canCancel(order.status)
  const close = useEffectEvent(() => {
    // A change made by this dialog itself is handled below.
    if (sending.current || !order) return
    void showMessage({
      intent: 'warning',
      message: t('cancel.refused', { status: statusWord(order.status, t) }),
      key: `cancel:${order.orderId}`,
    })
    onClose()
  })
  useEffect(() => {
    if (isLost) close()
  }, [isLost])

  async function cancel({ orderId, version }: OrderRow, reason: string): Promise<void> {
    sending.current = true
    try {
      onRow(await send.mutateAsync({ orderId, version, reason }))
      void showMessage({
        intent: 'success',
        message: t('cancel.done', { orderId }),
        key: `cancel:${orderId}`,
      })
    } catch (error) {
      if (!(error instanceof CallError) || error.kind !== 'refused') throw error
      const fresh = error.data as OrderRow | null
      if (fresh?.orderId === orderId) onRow(fresh)
      // The request layer has shown the reason; there is nothing left to confirm.
      if (error.problem?.id !== ORDER_STATE.id && error.problem?.id !== NOT_FOUND.id) throw error
    } finally {
      sending.current = false
    }
  }
  return (
    <ConfirmAction
      isOpen={order !== null}
      title={t('cancel.title', { orderId: order?.orderId ?? '' })}
      {...(order ? { amount: order.amount } : {})}
      irreversible={[t('cancel.final')]}
      reason={{ min: 4, max: 200 }}
      confirmText={t('cancel.confirm')}
      onConfirm={(reason) => (order ? cancel(order, reason) : Promise.resolve())}
      onClose={onClose}
    >
      {order ? (
        <p className="cancel-order">
          {order.userName} <OrderStatusTag status={order.status} />
        </p>
      ) : null}
    </ConfirmAction>
  )
}
