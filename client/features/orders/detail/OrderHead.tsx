import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { DetailHead } from '#client/screen/detail/DetailHead.tsx'
import { Figure, Figures } from '#client/screen/detail/Figures.tsx'
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
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { LifecycleStrip } from '#client/ui/value/LifecycleStrip.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { isOrderStatus, type OrderStatus } from '#shared/orders/order-statuses.ts'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import type { OrderDetail, OrderTimeline } from '../order-types.ts'
import { closeTone, codeWord, statusWord, tagTone } from '../order-words.ts'
import { OrderStatusTag } from '../public.tsx'
import { stripOf } from './order-strip.ts'

interface OrderHeadProps {
  detail: OrderDetail
  timeline: OrderTimeline | undefined
  others: readonly PresenceMember[]
  takesCancel: boolean
  onConfirm: (what: 'cancel' | 'remark') => void
  onBack: () => void
}

/** The order's identity, status, amounts and available actions. */
export function OrderHead({
  detail,
  timeline,
  others,
  takesCancel,
  onConfirm,
  onBack,
}: OrderHeadProps): ReactNode {
  const t = useText('orders')
  const language = useLanguage()
  const { reason: offline } = useConnection()
  const { order } = detail
  const last = timeline?.at(-1)
  // a payment link covers one instalment: the one that is due first
  const due = detail.plans.find((plan) => plan.outstanding > 0)
  return (
    <DetailHead
      leave={{ run: onBack }}
      title={
        <>
          {t('detail.title')} <span className="tabular">{order.orderId}</span>
        </>
      }
      id={order.orderId}
      copyLabel={t('detail.copyId')}
      others={others}
      tags={
        <>
          <OrderStatusTag status={order.status} />
          {order.approval === null ? null : (
            <StatusTag tone="warn">
              {t('ui:approval.waits')} · {order.approval.requestBy}
            </StatusTag>
          )}
          {order.tags.map((tag) => (
            <StatusTag key={tag} tone={tagTone(tag)}>
              {codeWord('tag', tag, t)}
            </StatusTag>
          ))}
          {last ? (
            <span className="detail-more">
              <IstTime value={last.time} /> · {codeWord('cause', last.cause, t)}
              {last.by ? ` · ${actorLabel(last.by)}` : null}
            </span>
          ) : null}
        </>
      }
      actions={
        <>
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
          <Permit codes={remarkOrder.access}>
            <ActionButton
              variant="minimal"
              icon="comment"
              text={t('action.remark')}
              keys="R"
              disabledReason={offline}
              onClick={() => onConfirm('remark')}
            />
          </Permit>
          <Permit codes={cancelOrder.access}>
            <ActionButton
              icon="ban-circle"
              intent="danger"
              variant="minimal"
              text={t('action.cancel')}
              keys="X"
              disabledReason={
                takesCancel ? offline : t('cancel.refused', { status: statusWord(order.status, t) })
              }
              onClick={() => onConfirm('cancel')}
            />
          </Permit>
        </>
      }
    >
      {timeline && isOrderStatus(order.status) ? (
        <Strip status={order.status} timeline={timeline} />
      ) : null}
      <Figures>
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
          {/* the days overdue count from the oldest instalment that is not paid */}
          <IstTime value={due?.dueTime ?? order.dueTime} style="day" />
          {order.overdueDays > 0 ? (
            <span className="is-warn"> {t('detail.overdueDays', { days: order.overdueDays })}</span>
          ) : null}
        </Figure>
        <Figure label={t('col.closeTime')}>
          {/* A refused or cancelled order was never a running loan: it has an end and no close type. */}
          {order.closeTime && order.closeType === 'notClosed' ? null : (
            <StatusTag tone={closeTone(order.closeType)}>
              {codeWord('closeType', order.closeType, t)}
            </StatusTag>
          )}
          {detail.closeAmountType === null ? null : (
            <> {t(`closeAmountType.${detail.closeAmountType}`)}</>
          )}
          {order.closeTime ? (
            <>
              {' '}
              <IstTime value={order.closeTime} />
            </>
          ) : null}
        </Figure>
      </Figures>
      {detail.refusal ? (
        <p className="order-fail">
          {t('detail.refusal', { code: order.failReason ?? detail.refusal.code })}
          {detail.refusal.coolDownUntil === null
            ? null
            : `. ${t('detail.coolDown', { day: formatIst(detail.refusal.coolDownUntil, 'day', language) })}`}
        </p>
      ) : order.failReason ? (
        <p className="order-fail">{t('detail.failReason', { reason: order.failReason })}</p>
      ) : null}
    </DetailHead>
  )
}

function Strip({ status, timeline }: { status: OrderStatus; timeline: OrderTimeline }): ReactNode {
  const t = useText('orders')
  const { states, next } = stripOf(status, timeline.map((entry) => entry.to).filter(isOrderStatus))
  return (
    <LifecycleStrip
      label={t('detail.strip')}
      states={states.map((one) => ({
        code: String(one),
        label: statusWord(one, t),
      }))}
      current={String(status)}
      next={next.map(String)}
    />
  )
}
