/**
 * Customer, order, case and other tickets; each a link only when the person has access to its page.
 */
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { OrderStatusTag } from '#client/features/orders/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { languageName } from '#client/ui/value/language-name.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { type Stage, StageTag, StatusTag } from '#client/ui/value/StatusTag.tsx'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import type { TicketDetail, Viewer } from '../ticket-types.ts'
import { CASE_MENUS, menuOf, progressTone } from '../ticket-words.ts'
import { CustomerContact } from './CustomerContact.tsx'
import { orderPath } from '#shared/orders/order-path.ts'
import { casePath } from '#shared/collection/case-path.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

export function TicketCards({
  detail,
  viewer,
}: {
  detail: TicketDetail
  viewer: Viewer
}): ReactNode {
  const t = useText('tickets')
  const language = useLanguage()
  const { index } = useSession()
  const { ticket, customer, order, others } = detail
  const orderMenu = ORDER_VIEWERS.find((menu) => index.byName.has(menu))
  const caseMenu = CASE_MENUS.find((menu) => index.byName.has(menu))
  const spoken = languageName(customer.language, language)
  return (
    <div className="ticket-cards">
      <dl className="ticket-card">
        <Fact label={t('col.customer')}>
          <strong>{customer.name}</strong> <CustomerLink userId={customer.userId} />
        </Fact>
        <Fact label={t('card.contact')}>
          <CustomerContact detail={detail} field="phone" viewer={viewer} />
          {customer.email !== null && (
            <CustomerContact detail={detail} field="email" viewer={viewer} />
          )}
        </Fact>
        <Fact label={t('card.about')}>
          {[
            t(`class.${customer.customerClass}`, { defaultValue: customer.customerClass }),
            spoken,
            customer.city,
            t('card.orders', { n: customer.orderCount }),
            t('card.tickets', { n: customer.ticketCount }),
          ]
            .filter((fact) => fact !== null)
            // a line breaks between the facts, not within one
            .map((fact) => fact.replaceAll(' ', '\u00a0'))
            .join(' · ')}
        </Fact>
        {order && (
          <Fact label={t('col.order')}>
            {orderMenu === undefined ? (
              <span className="tabular">{order.orderId}</span>
            ) : (
              <Link className="ticket-link tabular" href={orderPath(order.orderId, orderMenu)}>
                {order.orderId}
              </Link>
            )}{' '}
            <OrderStatusTag status={order.status} />
            <span className="ticket-line">
              {order.productName} · {t('card.outstanding')} <Money paise={order.outstanding} />
              {order.outstanding > 0 && order.overdueDays > 0 && (
                <span className="is-bad"> · {t('card.overdue', { days: order.overdueDays })}</span>
              )}
              {order.outstanding > 0 && order.overdueDays === 0 && order.dueTime !== null && (
                <>
                  {' · '}
                  {t('col.dueTime')} <IstTime value={order.dueTime} style="day" />
                </>
              )}
            </span>
          </Fact>
        )}
        {ticket.caseId !== null && (
          <Fact label={t('col.case')}>
            {caseMenu === undefined ? (
              <span className="tabular">{ticket.caseId}</span>
            ) : (
              <Link className="ticket-link tabular" href={casePath(ticket.caseId, caseMenu)}>
                {ticket.caseId}
              </Link>
            )}{' '}
            {ticket.stageId !== null && <StageTag stage={ticket.stageId as Stage} />}
            {ticket.collectorName !== null && <> {ticket.collectorName}</>}{' '}
            {ticket.held && <StatusTag tone="warn">{t('card.held')}</StatusTag>}
          </Fact>
        )}
        {ticket.aboutName !== null && <Fact label={t('card.aboutPerson')}>{ticket.aboutName}</Fact>}
        <Fact label={t('col.processor')}>
          {ticket.processorName ?? t('nobody')}
          {ticket.processorId === viewer.userId && ` (${t('you')})`}
          {ticket.departmentName !== null && (
            <span className="ticket-muted"> · {ticket.departmentName}</span>
          )}
        </Fact>
        <Fact label={t('col.dueTime')}>
          {ticket.progress === 'finished' ? (
            <>
              {t('sla.done')} <IstTime value={ticket.finishTime} />
            </>
          ) : (
            <>
              {t(ticket.firstReplyTime === null ? 'sla.reply' : 'sla.answer')} ·{' '}
              <IstTime value={ticket.dueTime} />
            </>
          )}
        </Fact>
        {others.length > 0 && (
          <Fact label={t('card.others')}>
            <ul className="ticket-other">
              {others.slice(0, 5).map((other) => (
                <li key={other.feedbackId}>
                  <Link
                    className="ticket-link tabular"
                    href={ticketPath(other.feedbackId, menuOf(ticket.queue))}
                  >
                    {other.feedbackId}
                  </Link>{' '}
                  {t(`type.${other.type}`)}{' '}
                  <StatusTag tone={progressTone(other.progress)}>
                    {t(`progress.${other.progress}`)}
                  </StatusTag>{' '}
                  <IstTime value={other.createTime} style="day" />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
