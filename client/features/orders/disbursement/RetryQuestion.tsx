/** Before failed disbursements are sent again or given up: how many, how much, which of the chosen stay and why. Afterwards: what was refused. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ExcludedRows } from '#client/shell/ExcludedRows.tsx'
import { RefusedRows } from '#client/shell/RefusedRows.tsx'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import {
  cancelDisbursement,
  payoutVendors,
  type previewFailed,
  redisburse,
} from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { Say } from '../order-words.ts'
import { PayoutWay, type Way } from './PayoutWay.tsx'

export interface AskedRetry extends DataOf<typeof previewFailed> {
  action: InputOf<typeof previewFailed>['action']
}

export function RetryQuestion({
  asked,
  onDone,
  onClose,
}: {
  asked: AskedRetry | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation('orders')
  const say = t as unknown as Say
  const again = useSend(redisburse)
  const giveUp = useSend(cancelDisbursement)
  const [way, setWay] = useState<Way>({})
  const action = asked?.action ?? 'redisburse'
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    enabled: asked !== null && action === 'redisburse',
    staleTime: 0,
  })
  const { run, refused } = useBulk({
    key: 'wait',
    done: (count) => say(`wait.done.${action}`, { count }),
    onDone,
  })
  const meant = asked === null ? [] : [...asked.ready, ...asked.toApprove]
  const none = asked !== null && meant.length === 0

  async function act(meantIds: readonly string[], reason: string): Promise<void> {
    await run(meantIds, async (orderIds) => {
      if (action === 'cancel') return giveUp.mutateAsync({ orderIds, reason })
      const { asked: second, ...result } = await again
        .mutateAsync({ orderIds, vendorCode: vendors.data?.current, ...way })
        .catch((error: unknown) => {
          // another vendor may send by now
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
        isOpen={asked !== null && !none}
        intent={action === 'redisburse' ? 'primary' : 'danger'}
        title={t(`wait.ask.${action}`)}
        count={meant.length}
        amount={(asked?.amount ?? 0) + (asked?.toApproveAmount ?? 0)}
        irreversible={action === 'cancel' ? [t('handle.effect.cancel')] : []}
        {...(action === 'cancel' ? { reason: { min: 4, max: 200 } } : {})}
        confirmText={t(`wait.${action}`)}
        onConfirm={(reason) => act(meant, reason)}
        onClose={close}
      >
        {asked !== null && asked.toApprove.length > 0 && (
          <p className="wait-approve">
            {t('wait.toApprove', {
              count: asked.toApprove.length,
              amount: formatPaise(asked.toApproveAmount),
            })}
          </p>
        )}
        <ExcludedRows
          rows={(asked?.excluded ?? []).map(({ orderId, reason }) => ({
            id: orderId,
            why: say(`orders:rule.${reason}`),
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
            ? asked.excluded.map(({ orderId, reason }) => ({
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
