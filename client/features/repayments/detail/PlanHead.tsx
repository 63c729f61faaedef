import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { DetailHead } from '#client/screen/detail/DetailHead.tsx'
import { Figure, Figures } from '#client/screen/detail/Figures.tsx'
import { Link } from 'wouter'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { opensOrders, OrderStatusTag } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit, usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { addRecord } from '#shared/repayments/repayments-api.ts'
import { PlanKindTag } from '../list/PlanKindTag.tsx'
import type { PlanDetail } from '../payment-types.ts'
import { codeWord, planTone } from '../payment-words.ts'
import { AddProof, SendLink, SettleMenu } from '../public.tsx'
import { orderPath } from '#shared/orders/order-path.ts'

export interface PlanHeadProps {
  detail: PlanDetail
  others: readonly PresenceMember[]
  whyNotAdd: string | null
  onAdd: () => void
  onBack: () => void
}

export function PlanHead({
  detail: { plan, order },
  others,
  whyNotAdd,
  onAdd,
  onBack,
}: PlanHeadProps): ReactNode {
  const t = useText('repayments')
  const { menu } = usePage()
  const { index } = useSession()
  const { reason: offline } = useConnection()
  return (
    <DetailHead
      leave={{ run: onBack }}
      title={
        <>
          {t('detail.title')} <span className="tabular">{plan.planId}</span>
        </>
      }
      id={plan.planId}
      copyLabel={t('detail.copyId')}
      others={others}
      tags={
        <>
          <StatusTag tone={planTone(plan.paymentStatus)}>
            {codeWord('planStatus', plan.paymentStatus, t)}
          </StatusTag>
          <PlanKindTag kind={plan.kind} />
          <span className="detail-more">
            {plan.kind === 'instalment' &&
              `${t('detail.serial', { n: plan.serialNo, of: order.instalments })} · `}
            {opensOrders(index) ? (
              <Link className="money-link" href={orderPath(order.orderId, menu ?? 'repay_plan')}>
                {order.orderId}
              </Link>
            ) : (
              order.orderId
            )}{' '}
            · <CustomerLink userId={plan.userId}>{plan.userName}</CustomerLink> ·{' '}
            {order.productName}
          </span>
          <OrderStatusTag status={order.status} />
        </>
      }
      actions={
        <>
          <SettleMenu orderId={order.orderId} status={order.status} />
          <SendLink planId={plan.planId} due={plan.outstanding} />
          <AddProof orderId={order.orderId} status={order.status} />
          <Permit codes={addRecord.access}>
            <ActionButton
              icon="plus"
              intent="primary"
              text={t('action.add')}
              keys="A"
              disabledReason={whyNotAdd ?? offline}
              onClick={onAdd}
            />
          </Permit>
        </>
      }
    >
      <Figures>
        <Figure label={t('col.dueTime')}>
          <IstTime value={plan.dueTime} style="day" />
        </Figure>
        <Figure label={t('col.overdueDays')}>{plan.overdueDays}</Figure>
        <Figure label={t('col.amountDue')}>
          <Money paise={plan.amountDue} />
        </Figure>
        <Figure label={t('col.principal')}>
          <Money paise={plan.principal} />
        </Figure>
        <Figure label={t('col.interest')}>
          <Money paise={plan.interest} />
        </Figure>
        <Figure label={t('col.serviceFee')}>
          <Money paise={plan.serviceFee} />
        </Figure>
        {plan.bounceCharge > 0 && (
          <Figure label={t('col.bounceCharge')}>
            <Money paise={plan.bounceCharge} />
          </Figure>
        )}
        <Figure label={t('col.overdueFine')}>
          <Money paise={plan.overdueFine} />
        </Figure>
        <Figure label={t('col.reducedFees')}>
          <Money paise={plan.reducedFees} />
        </Figure>
        <Figure label={t('col.reductionTime')}>
          <IstTime value={plan.reductionTime} />
        </Figure>
        <Figure label={t('col.paidAmount')}>
          <Money paise={plan.paidAmount} />
        </Figure>
        <Figure label={t('col.outstanding')} strong>
          <Money paise={plan.outstanding} />
        </Figure>
        <Figure label={t('col.actualRepaymentTime')}>
          <IstTime value={plan.actualRepaymentTime} />
        </Figure>
      </Figures>
    </DetailHead>
  )
}
