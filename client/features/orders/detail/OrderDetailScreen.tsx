/** The whole life of one order (screens.md 1.5). Who else is on it is shown; what changes elsewhere changes here. */
import '../orders.css'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/shell/shortcuts.ts'
import { useGoBack } from '#client/shell/use-go-back.ts'
import { Empty } from '#client/ui/Empty.tsx'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { failureText } from '#client/ui/failure.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
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
  const { t } = useTranslation('orders')
  const { user } = useSession()
  const now = useOrderDetail(orderId)
  const others = useWatch('order', orderId).filter((member) => member.userId !== user.userId)
  const [asking, setAsking] = useState<'cancel' | 'remark' | null>(null)
  const goBack = useGoBack('order_list')
  const { canMutate } = useConnection()
  const mayRemark = usePermission(['order_list:remark'])
  const mayCancel = usePermission(['order_list:cancel'])
  const { detail } = now
  const takesCancel = detail !== undefined && mayCancel && detail.allowed.includes('CANCEL')
  const isMissing = now.error instanceof CallError && now.error.problem?.id === NOT_FOUND.id

  useShortcuts('screen', [
    {
      id: 'order-back',
      code: 'Escape',
      labelKey: 'orders:keys.back',
      run: goBack,
      when: () => asking === null,
    },
    ...(mayRemark
      ? [
          {
            id: 'order-remark',
            code: 'KeyR',
            labelKey: 'orders:keys.remark',
            run: () => setAsking('remark'),
            when: () => asking === null && detail !== undefined && canMutate,
          },
        ]
      : []),
    ...(mayCancel
      ? [
          {
            id: 'order-cancel',
            code: 'KeyX',
            labelKey: 'orders:keys.cancel',
            run: () => setAsking('cancel'),
            when: () => asking === null && takesCancel && canMutate,
          },
        ]
      : []),
  ])
  useEffect(() => {
    setEditing('order', orderId, asking !== null)
  }, [orderId, asking])

  if (isMissing) {
    return (
      <>
        <h1 className="visually-hidden">{t('detail.missing')}</h1>
        <Empty
          icon="search"
          reason={t('detail.missing')}
          hint={orderId}
          action={{ text: t('detail.back'), onClick: goBack }}
        />
      </>
    )
  }
  if (!detail)
    return now.error ? <ErrorPane error={now.error} onRetry={now.reread} /> : <OrderSkeleton />
  return (
    <div className="order" aria-busy={now.isFetching}>
      {now.error ? (
        <p className="order-stale" role="alert">
          {t('detail.stale', { why: failureText(now.error) })}
        </p>
      ) : null}
      <OrderHead
        detail={detail}
        timeline={now.timeline}
        others={others}
        takesCancel={takesCancel}
        onAsk={setAsking}
        onBack={goBack}
      />
      <div className="order-body">
        <OrderFacts detail={detail} />
        <OrderTabs
          detail={detail}
          timeline={now.timeline}
          onRemark={mayRemark ? () => setAsking('remark') : null}
          onChanged={now.reread}
        />
      </div>
      <CancelOrder
        order={asking === 'cancel' ? detail.order : null}
        onRow={now.takeRow}
        onClose={() => setAsking(null)}
      />
      {asking === 'remark' ? (
        <RemarkOrder orderId={orderId} onDone={now.reread} onClose={() => setAsking(null)} />
      ) : null}
    </div>
  )
}
