/**
 * The panel beside the tabs: borrower, terms, and the disclosures that the lending rules require on
 * record.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CustomerLink } from '#client/features/customers/public.tsx'
import { call } from '#client/session/call.ts'
import { usePage, usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Masked } from '#client/ui/value/Masked.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { revealField } from '#shared/customers/reveal-api.ts'
import type { OrderDetail } from '../order-types.ts'
import { codeWord, penaltyLines, rateText, rbiTone } from '../order-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'
import { reviewPath } from '#shared/review/review-path.ts'
import { casePath } from '#shared/collection/case-path.ts'

export function OrderFacts({ detail }: { detail: OrderDetail }): ReactNode {
  const t = useText('orders')
  // the call reveals fields of every page; orders are opened from these three
  const mayReveal = usePermission(['order_list:reveal', 'loan_list:reveal', 'review_list:reveal'])
  const { index } = useSession()
  const { order, customer, terms } = detail
  // from an ended loan, the way back leads to the ended cases
  const ways =
    order.closeTime === null ? ['pedding_list', 'peded_list'] : ['peded_list', 'pedding_list']
  const way = ways.find((menu) => index.byName.has(menu))
  const reveal = async (reason: string) =>
    (await call(revealField, { userId: customer.userId, field: 'phone', reason }, { quiet: true }))
      .value
  return (
    <div className="detail-side order-facts">
      <Card title={t('card.customer')}>
        <Fact label={t('customer.name')}>{customer.name}</Fact>
        <Fact label={t('col.userId')}>
          <CustomerLink userId={customer.userId} />
        </Fact>
        <Fact label={t('col.phone')}>
          <Masked
            value={customer.phone}
            label={t('col.phone')}
            {...(mayReveal ? { onReveal: reveal } : {})}
          />
        </Fact>
        <Fact label={t('customer.city')}>
          {[customer.city, customer.postcode].filter(Boolean).join(' ') || '—'}
        </Fact>
        <Fact label={t('customer.class')}>
          {codeWord('customer.classes', customer.customerClass, t)}
        </Fact>
        <Fact label={t('customer.certified')}>{customer.certified ? t('ui:yes') : t('ui:no')}</Fact>
        <Fact label={t('customer.orders')}>
          {t('customer.counts', { orders: customer.orderCount, settled: customer.settlementCount })}
        </Fact>
        {customer.blacklisted ? (
          <Fact label={t('customer.blacklisted')}>
            <StatusTag tone="bad">{t('ui:yes')}</StatusTag>
          </Fact>
        ) : null}
      </Card>
      <Card title={t('card.disclosure')}>
        <Fact label={t('disclosure.kfs')}>{order.kfsVersion ?? '—'}</Fact>
        <Fact label={t('disclosure.accepted')}>
          <IstTime value={order.kfsAcceptTime} />
        </Fact>
        <Fact label={t('disclosure.apr')}>{terms.apr === null ? '—' : rateText(terms.apr)}</Fact>
        <Fact label={t('disclosure.coolingOff')}>
          <IstTime value={order.coolingOffUntil} />
        </Fact>
        <Fact label={t('disclosure.rbi')}>
          <StatusTag tone={rbiTone(order.rbiClass)}>{codeWord('rbi', order.rbiClass, t)}</StatusTag>
        </Fact>
        <Fact label={t('col.reviewId')}>
          {order.reviewId === null ? (
            '—'
          ) : index.byName.has('review_list') ? (
            <Link href={reviewPath(order.reviewId)} className="order-link tabular">
              {order.reviewId}
            </Link>
          ) : (
            <span className="tabular">{order.reviewId}</span>
          )}
        </Fact>
        {detail.caseId !== null && way !== undefined ? (
          <Fact label={t('elsewhere.case')}>
            <Link className="order-link tabular" href={casePath(detail.caseId, way)}>
              {detail.caseId}
            </Link>
          </Fact>
        ) : null}
        {index.byName.has('operate_record') ? (
          <Fact label={t('elsewhere.log')}>
            <Link
              className="order-link"
              href={`/system/operate_record?target=${encodeURIComponent(order.orderId)}`}
            >
              {t('elsewhere.show')}
            </Link>
          </Fact>
        ) : null}
      </Card>
      {detail.extension || detail.fromOrderId ? (
        <Card title={t('card.extension')}>
          {detail.fromOrderId ? (
            <Fact label={t('extension.from')}>
              <OrderLink orderId={detail.fromOrderId} />
            </Fact>
          ) : null}
          {detail.extensionNo === null ? null : (
            <Fact label={t('extension.no')}>{detail.extensionNo}</Fact>
          )}
          {detail.extension ? (
            <>
              <Fact label={t('extension.next')}>
                <OrderLink orderId={detail.extension.newOrderId} />
              </Fact>
              <Fact label={t('extension.fee')}>
                <Money paise={detail.extension.fee} />
              </Fact>
              <Fact label={t('extension.commission')}>
                <Money paise={detail.extension.commission} />
              </Fact>
              <Fact label={t('extension.days')}>{detail.extension.days}</Fact>
            </>
          ) : null}
        </Card>
      ) : null}
      <Card title={t('card.terms')}>
        <Fact label={t('col.productName')}>{order.productName}</Fact>
        <Fact label={t('col.appName')}>{order.appName}</Fact>
        <Fact label={t('col.channelName')}>{order.channelName}</Fact>
        {terms.emi === null ? (
          <>
            <Fact label={t('terms.serviceRate')}>{rateText(terms.serviceRate)}</Fact>
            <Fact label={t('terms.dailyRate')}>{rateText(terms.dailyRate)}</Fact>
          </>
        ) : (
          <EmiTerms emi={terms.emi} />
        )}
        <Fact label={t('terms.penaltyRate')}>
          {penaltyLines(terms.penalty, t).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Fact>
        {terms.emi === null && (
          <Fact label={t('terms.periods')}>
            {t('terms.periodsText', { periods: terms.periods, days: terms.daysPerPeriod })}
          </Fact>
        )}
        <Fact label={t('col.createTime')}>
          <IstTime value={order.createTime} />
        </Fact>
        <Fact label={t('col.disburseTime')}>
          <IstTime value={order.disburseTime} />
        </Fact>
      </Card>
    </div>
  )
}

function EmiTerms({ emi }: { emi: NonNullable<OrderDetail['terms']['emi']> }): ReactNode {
  const t = useText('orders')
  return (
    <>
      <Fact label={t('terms.emi')}>
        {t('terms.emiText', { instalments: emi.instalments, day: emi.dueDay })}
      </Fact>
      <Fact label={t('terms.annualRate')}>{rateText(emi.annualRate)}</Fact>
      <Fact label={t('terms.fee')}>
        <Money paise={emi.fee} />
      </Fact>
      <Fact label={t('terms.gst')}>
        <Money paise={emi.gst} />
      </Fact>
      <Fact label={t('terms.graceDays')}>{emi.graceDays}</Fact>
      <Fact label={t('terms.bounceCharge')}>
        <Money paise={emi.bounceCharge} />
      </Fact>
      <Fact label={t('terms.prepayment')}>{t(`terms.effect.${emi.prepayment}`)}</Fact>
    </>
  )
}

function OrderLink({ orderId }: { orderId: string }): ReactNode {
  const { menu } = usePage()
  return (
    <Link href={orderPath(orderId, menu ?? 'order_list')} className="order-link tabular">
      {orderId}
    </Link>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="detail-card">
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
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
