/** Many orders in one request: their ids are pasted, another person approves, a job does the rows. */
import '../repayments.css'
import { type ReactNode, useState } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { batchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { useSay } from '../use-say.ts'
import { orderIdsOf } from './order-ids.ts'

export function BatchWriteOffForm({ onClose }: { onClose: () => void }): ReactNode {
  const t = useSay()
  const ask = useSend(batchWriteOff)
  const [text, setText] = useState('')
  const orderIds = orderIdsOf(text)
  async function send(reason: string): Promise<void> {
    if (orderIds.length === 0) {
      void showMessage({ intent: 'warning', message: t('batch.none'), key: 'batch:none' })
      throw new Error('no orders named')
    }
    const { approvalId, count, excludedCount } = await ask.mutateAsync({ orderIds, reason })
    void showMessage({ intent: excludedCount > 0 ? 'warning' : 'success', message: excludedCount > 0 ? t('batch.doneWithout', { approvalId, n: count, excluded: excludedCount }) : t('batch.done', { approvalId, n: count }), key: `approval:${approvalId}` })
  }
  return (
    <ConfirmAction isOpen intent="danger" title={t('batch.title')} count={orderIds.length} irreversible={[t('batch.effect')]} reason={{ min: 4, max: 200 }} confirmText={t('batch.submit')} onConfirm={send} onClose={onClose}>
      <div className="confirm-field">
        <label htmlFor="batch-orders">{t('batch.orders')}</label>
        <textarea id="batch-orders" className="bp6-input" rows={6} value={text} placeholder="L10000001" aria-describedby="batch-orders-help" onChange={(event) => setText(event.target.value)} />
        <p id="batch-orders-help" className="money-hint">{t('batch.ordersHelp')}</p>
      </div>
    </ConfirmAction>
  )
}
