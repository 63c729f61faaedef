/** One order with its whole history. Shows who else has it open and applies live changes. */
import '../orders.css'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { DetailPage } from '#client/screen/detail/DetailPage.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { CancelOrder } from '../CancelOrder.tsx'
import { RemarkOrder } from '../RemarkOrder.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderSkeleton } from './OrderSkeleton.tsx'
import { OrderTabs } from './OrderTabs.tsx'
import { useOrderDetail } from './use-order-detail.ts'

export function Screen(): ReactNode {
  const [params] = useSearchParams()
  const orderId = params.get('orderId') ?? ''
  // with those of its tabs, so that no tab waits when it is opened
  const t = useText('orders', 'ledger')
  const { user } = useSession()
  const now = useOrderDetail(orderId)
  const others = useWatch('order', orderId).filter((member) => member.userId !== user.userId)
  const [confirming, setConfirming] = useState<'cancel' | 'remark' | null>(null)
  const goBack = useGoBack('order_list')
  const { canMutate } = useConnection()
  const mayRemark = usePermission(remarkOrder.access)
  const mayCancel = usePermission(cancelOrder.access)
  const { detail } = now
  const takesCancel = detail !== undefined && mayCancel && detail.allowed.includes('CANCEL')

  useShortcuts('screen', [
    {
      id: 'order-back',
      code: 'Escape',
      labelKey: 'ui:detail.back',
      run: goBack,
      when: () => confirming === null,
    },
    ...(mayRemark
      ? [
          {
            id: 'order-remark',
            code: 'KeyR',
            labelKey: 'orders:keys.remark',
            run: () => setConfirming('remark'),
            when: () => confirming === null && detail !== undefined && canMutate,
          },
        ]
      : []),
    ...(mayCancel
      ? [
          {
            id: 'order-cancel',
            code: 'KeyX',
            labelKey: 'orders:keys.cancel',
            run: () => setConfirming('cancel'),
            when: () => confirming === null && takesCancel && canMutate,
          },
        ]
      : []),
  ])
  useEffect(() => {
    setEditing('order', orderId, confirming !== null)
  }, [orderId, confirming])

  return (
    <DetailPage
      reading={now}
      missing={t('detail.missing')}
      id={orderId}
      leave={{ run: goBack }}
      skeleton={<OrderSkeleton />}
    >
      {(detail) => (
        <>
          <OrderHead
            detail={detail}
            timeline={now.timeline}
            others={others}
            takesCancel={takesCancel}
            onConfirm={setConfirming}
            onBack={goBack}
          />
          <div className="detail-body">
            <OrderFacts detail={detail} />
            <OrderTabs
              detail={detail}
              timeline={now.timeline}
              onRemark={mayRemark ? () => setConfirming('remark') : null}
              onChanged={now.reread}
            />
          </div>
          <CancelOrder
            order={confirming === 'cancel' ? detail.order : null}
            onRow={now.takeRow}
            onClose={() => setConfirming(null)}
          />
          {confirming === 'remark' ? (
            <RemarkOrder
              orderId={orderId}
              onDone={now.reread}
              onClose={() => setConfirming(null)}
            />
          ) : null}
        </>
      )}
    </DetailPage>
  )
}
