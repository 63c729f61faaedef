import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { opensOrders, orderPath, OrderStatusTag } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit, usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { copyText } from '#client/ui/value/copy.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import type { PlanDetail } from '../payment-types.ts'
import { codeWord, planTone } from '../payment-words.ts'
import { AddProof, SendLink, SettleMenu } from '../public.tsx'

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
    <header className="plan-head">
      <div className="plan-title">
        <Button
          variant="minimal"
          icon="arrow-left"
          aria-label={t('detail.back')}
          title={t('detail.back')}
          onClick={onBack}
        />
        <h1>
          {t('detail.title')} <span className="tabular">{plan.planId}</span>
        </h1>
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={t('detail.copyId')}
          title={t('detail.copyId')}
          onClick={() => void copyText(plan.planId)}
        />
        <StatusTag tone={planTone(plan.paymentStatus)}>
          {codeWord('planStatus', plan.paymentStatus, t)}
        </StatusTag>
        <span className="plan-of">
          {t('detail.serial', { n: plan.serialNo, of: order.instalments })} ·{' '}
          {opensOrders(index) ? (
            <Link className="money-link" href={orderPath(order.orderId, menu ?? 'repay_plan')}>
              {order.orderId}
            </Link>
          ) : (
            order.orderId
          )}{' '}
          · <CustomerLink userId={plan.userId}>{plan.userName}</CustomerLink> · {order.productName}
        </span>
        <OrderStatusTag status={order.status} />
        <span className="plan-end">
          {others.length > 0 && (
            <span className="plan-others">
              {t('detail.alsoHere')} <Presence members={others} />
            </span>
          )}
          <SettleMenu orderId={order.orderId} status={order.status} />
          <SendLink planId={plan.planId} due={plan.outstanding} />
          <AddProof orderId={order.orderId} status={order.status} />
          <Permit codes={['repay_record:add']}>
            <ActionButton
              icon="plus"
              intent="primary"
              text={t('action.add')}
              keys="A"
              disabledReason={whyNotAdd ?? offline}
              onClick={onAdd}
            />
          </Permit>
        </span>
      </div>
      <dl className="plan-figures">
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
      </dl>
    </header>
  )
}

function Figure({
  label,
  strong = false,
  children,
}: {
  label: string
  strong?: boolean
  children: ReactNode
}): ReactNode {
  return (
    <div className={strong ? 'is-strong' : undefined}>
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
