/** The customer's reviews. */
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { WatchOrders } from './WatchOrders.tsx'
import { Away, type OfCustomer, Rows, Section, useMenu } from './record-parts.tsx'
import { reviewPath } from '#shared/review/review-path.ts'

const RESULT_TONES: Record<string, Tone> = { passed: 'good', failed: 'bad' }

export function ReviewTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  const menu = useMenu(['review_list'])
  return (
    <Section userId={userId} sections={['review']}>
      {({ review = [] }) => (
        <>
          <WatchOrders
            orderIds={review.filter((one) => one.finishTime === null).map((one) => one.orderId)}
          />
          <Rows
            label={t('tab.review')}
            none={t('empty.review')}
            rows={review}
            idOf={(one) => one.reviewId}
            columns={[
              {
                head: t('orders:col.reviewId'),
                cell: (one) =>
                  one.mayOpen && menu !== null ? (
                    <Away to={reviewPath(one.reviewId, menu)}>{one.reviewId}</Away>
                  ) : (
                    one.reviewId
                  ),
              },
              { head: t('orders:col.orderId'), cell: (one) => one.orderId },
              {
                head: t('orders:col.status'),
                cell: (one) => (
                  <StatusTag tone={RESULT_TONES[one.state] ?? 'neutral'}>
                    {t(`review:state.${one.state}`)}
                  </StatusTag>
                ),
              },
              {
                head: t('head.machine'),
                cell: (one) =>
                  one.machineState === null ? '—' : t(`review:machine.${one.machineState}`),
              },
              {
                head: t('head.manual'),
                cell: (one) =>
                  one.manualResult === null ? (
                    '—'
                  ) : (
                    <StatusTag tone={RESULT_TONES[one.manualResult] ?? 'neutral'}>
                      {t(`review:result.${one.manualResult}`)}
                    </StatusTag>
                  ),
              },
              {
                head: t('col.reason'),
                cell: (one) =>
                  one.rejectCode === null ? (
                    '—'
                  ) : (
                    <span className="customer-text">
                      {one.rejectCode} {t(`review:reject.${one.rejectCode}`, { defaultValue: '' })}
                    </span>
                  ),
              },
              { head: t('head.reviewer'), cell: (one) => one.reviewerName ?? '—' },
              {
                head: t('head.created'),
                cell: (one) => <IstTime value={one.queuedTime ?? one.machineTime} />,
              },
              { head: t('head.ended'), cell: (one) => <IstTime value={one.finishTime} /> },
            ]}
          />
        </>
      )}
    </Section>
  )
}
