/** One instalment: what is due, day by day, and how each payment was allocated. */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { DetailPage } from '#client/screen/detail/DetailPage.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { addRecord } from '#shared/repayments/repayments-api.ts'
import { type PaymentToConfirm, ConfirmPayment } from '../forms/ConfirmPayment.tsx'
import { bookRefusal } from '../forms/payment-rules.ts'
import { OpenCard, QuoteCard, SiblingsCard } from './PlanCards.tsx'
import { PlanHead } from './PlanHead.tsx'
import { PlanTabs } from './PlanTabs.tsx'
import { usePlanDetail } from './use-plan-detail.ts'

const RepaymentForm = lazyPart(() =>
  import('../forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)

export function Screen(): ReactNode {
  const [params] = useSearchParams()
  const planId = params.get('planId') ?? ''
  const t = useText('repayments')
  const { user } = useSession()
  const { canMutate } = useConnection()
  const now = usePlanDetail(planId)
  const { detail } = now
  // events of an instalment are published in the room of its order
  const others = useWatch('order', detail?.order.orderId).filter(
    (member) => member.userId !== user.userId,
  )
  const [booking, setBooking] = useState(false)
  const [confirming, setConfirming] = useState<PaymentToConfirm | null>(null)
  const goBack = useGoBack('repay_plan')
  const mayAdd = usePermission(addRecord.access)
  const isBusy = booking || confirming !== null
  const refused = bookRefusal(detail?.order.status ?? 0)
  const whyNotAdd = refused === null ? null : t(refused)
  const orderId = detail?.order.orderId ?? ''

  useShortcuts('screen', [
    {
      id: 'plan-back',
      code: 'Escape',
      labelKey: 'ui:detail.back',
      run: goBack,
      when: () => !isBusy,
    },
    ...(mayAdd
      ? [
          {
            id: 'plan-add',
            code: 'KeyA',
            labelKey: 'repayments:keys.add',
            run: () => setBooking(true),
            when: () => !isBusy && whyNotAdd === null && canMutate,
          },
        ]
      : []),
  ])
  useEffect(() => {
    if (orderId) setEditing('order', orderId, isBusy)
  }, [orderId, isBusy])

  return (
    <DetailPage reading={now} missing={t('detail.missing')} id={planId} leave={{ run: goBack }}>
      {(detail) => (
        <>
          <PlanHead
            detail={detail}
            others={others}
            whyNotAdd={whyNotAdd}
            onAdd={() => setBooking(true)}
            onBack={goBack}
          />
          <div className="detail-body plan-body">
            <div className="detail-side">
              <OpenCard detail={detail} />
              <QuoteCard orderId={orderId} version={detail.order.version} />
              <SiblingsCard detail={detail} />
            </div>
            <PlanTabs detail={detail} onConfirm={setConfirming} onChanged={now.reread} />
          </div>
          {booking ? (
            <RepaymentForm
              orderId={orderId}
              onDone={now.reread}
              onClose={() => setBooking(false)}
            />
          ) : null}
          <ConfirmPayment
            payment={confirming}
            onRow={now.takeRecord}
            onClose={() => setConfirming(null)}
          />
        </>
      )}
    </DetailPage>
  )
}
