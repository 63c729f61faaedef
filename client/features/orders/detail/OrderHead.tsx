import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  AddProof,
  AddRepayment,
  SendLink,
  SettleMenu,
} from '#client/features/repayments/public.tsx'
import { NewTicketButton } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { copyText } from '#client/ui/value/copy.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { LifecycleStrip } from '#client/ui/value/LifecycleStrip.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { isOrderStatus, type OrderStatus } from '#shared/orders/order-statuses.ts'
import type { OrderDetail, OrderTimeline } from '../order-types.ts'
import { closeTone, codeWord, statusWord, tagTone } from '../order-words.ts'
import { OrderStatusTag } from '../public.tsx'
import { stripOf } from './order-strip.ts'

interface OrderHeadProps {
  detail: OrderDetail
  timeline: OrderTimeline | undefined
  others: readonly PresenceMember[]
  takesCancel: boolean
  onAsk: (what: 'cancel' | 'remark') => void
  onBack: () => void
}

/** The order's identity, status, amounts and available actions. */
export function OrderHead({
  detail,
  timeline,
  others,
  takesCancel,
  onAsk,
  onBack,
}: OrderHeadProps): ReactNode {
  const { t, i18n } = useTranslation('orders')
  const text = useText('orders')
  const { reason: offline } = useConnection()
  const { order } = detail
  const last = timeline?.at(-1)
  // a payment link covers one instalment: the one that is due first
  const due = detail.plans.find((plan) => plan.outstanding > 0)
  return (
    <header className="order-head">
      <div className="order-title">
        <Button
          variant="minimal"
          icon="arrow-left"
          aria-label={t('detail.back')}
          title={t('detail.back')}
          onClick={onBack}
        />
        <h1>
          {t('detail.title')} <span className="tabular">{order.orderId}</span>
        </h1>
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={t('detail.copyId')}
          title={t('detail.copyId')}
          onClick={() => void copyText(order.orderId)}
        />
        <OrderStatusTag status={order.status} />
        {order.approval === null ? null : (
          <StatusTag tone="warn">
            {text('ui:approval.waits')} · {order.approval.requestBy}
          </StatusTag>
        )}
        {order.tags.map((tag) => (
          <StatusTag key={tag} tone={tagTone(tag)}>
            {codeWord('tag', tag, text)}
          </StatusTag>
        ))}
        {last ? (
          <span className="order-last">
            <IstTime value={last.time} /> · {codeWord('cause', last.cause, text)}
            {last.by ? ` · ${actorLabel(last.by)}` : null}
          </span>
        ) : null}
        <span className="order-actions">
          {others.length > 0 ? (
            <span className="order-others">
              {t('detail.alsoHere')} <Presence members={others} />
            </span>
          ) : null}
          <SettleMenu
            orderId={order.orderId}
            status={order.status}
            coolingOffUntil={order.coolingOffUntil}
            allowed={detail.allowed}
          />
          {detail.plans.length > 0 && order.closeTime === null && (
            <SendLink planId={due?.planId ?? null} due={due?.outstanding ?? 0} />
          )}
          <AddProof orderId={order.orderId} status={order.status} />
          <AddRepayment orderId={order.orderId} status={order.status} />
          <NewTicketButton
            variant="minimal"
            customer={{
              userId: detail.customer.userId,
              userName: detail.customer.name,
              orderId: order.orderId,
            }}
            onDone={() => undefined}
          />
          <Permit codes={['order_list:remark']}>
            <ActionButton
              variant="minimal"
              icon="comment"
              text={t('action.remark')}
              keys="R"
              disabledReason={offline}
              onClick={() => onAsk('remark')}
            />
          </Permit>
          <Permit codes={['order_list:cancel']}>
            <ActionButton
              icon="ban-circle"
              intent="danger"
              variant="minimal"
              text={t('action.cancel')}
              keys="X"
              disabledReason={
                takesCancel
                  ? offline
                  : t('cancel.refused', { status: statusWord(order.status, text) })
              }
              onClick={() => onAsk('cancel')}
            />
          </Permit>
        </span>
      </div>
      {timeline && isOrderStatus(order.status) ? (
        <Strip status={order.status} timeline={timeline} />
      ) : null}
      <dl className="order-figures">
        <Figure label={t('col.amount')}>
          <Money paise={order.amount} />
        </Figure>
        <Figure label={t('col.arrivalAmount')}>
          <Money paise={order.arrivalAmount} />
        </Figure>
        <Figure label={t('col.serviceCharge')}>
          <Money paise={order.serviceCharge} />
        </Figure>
        <Figure label={t('col.interest')}>
          <Money paise={order.interest} />
        </Figure>
        <Figure label={t('col.contractAmount')}>
          <Money paise={order.contractAmount} />
        </Figure>
        <Figure label={t('col.outstanding')} strong>
          <Money paise={order.outstanding} />
        </Figure>
        <Figure label={t('col.tenureDays')}>{order.tenureDays}</Figure>
        <Figure label={t('col.term')}>{order.term}</Figure>
        <Figure label={t('col.dueTime')}>
          <IstTime value={order.dueTime} style="day" />
          {order.overdueDays > 0 ? (
            <span className="is-warn"> {t('detail.overdueDays', { days: order.overdueDays })}</span>
          ) : null}
        </Figure>
        <Figure label={t('col.closeTime')}>
          {/* A refused or cancelled order was never a running loan: it has an end and no close type. */}
          {order.closeTime && order.closeType === 'notClosed' ? null : (
            <StatusTag tone={closeTone(order.closeType)}>
              {codeWord('closeType', order.closeType, text)}
            </StatusTag>
          )}
          {order.closeTime ? (
            <>
              {' '}
              <IstTime value={order.closeTime} />
            </>
          ) : null}
        </Figure>
      </dl>
      {detail.refusal ? (
        <p className="order-fail">
          {t('detail.refusal', { code: order.failReason ?? detail.refusal.code })}
          {detail.refusal.coolDownUntil === null
            ? null
            : `. ${t('detail.coolDown', { day: formatIst(detail.refusal.coolDownUntil, 'day', i18n.language) })}`}
        </p>
      ) : order.failReason ? (
        <p className="order-fail">{t('detail.failReason', { reason: order.failReason })}</p>
      ) : null}
    </header>
  )
}

function Strip({ status, timeline }: { status: OrderStatus; timeline: OrderTimeline }): ReactNode {
  const { t } = useTranslation('orders')
  const text = useText('orders')
  const { states, next } = stripOf(status, timeline.map((entry) => entry.to).filter(isOrderStatus))
  return (
    <LifecycleStrip
      label={t('detail.strip')}
      states={states.map((one) => ({
        code: String(one),
        label: statusWord(one, text),
      }))}
      current={String(status)}
      next={next.map(String)}
    />
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
