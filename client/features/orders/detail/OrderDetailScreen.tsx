/** One order with its whole history. Shows who else has it open and applies live changes. */
import '../orders.css'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { CallError } from '#client/session/call-error.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
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
  const [confirming, setConfirming] = useState<'cancel' | 'remark' | null>(null)
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
        onAsk={setConfirming}
        onBack={goBack}
      />
      <div className="order-body">
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
        <RemarkOrder orderId={orderId} onDone={now.reread} onClose={() => setConfirming(null)} />
      ) : null}
    </div>
  )
}
