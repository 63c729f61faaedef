/** Coupons of a customer, or those used with an order; kept current by events. */
import './coupons.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { listGrants } from '#shared/coupons/coupons-api.ts'
import { COUPON_GRANTED, COUPONS_GRANTED } from '#shared/coupons/coupons-live.ts'
import { grantTone, valueText } from './coupon-words.ts'

export interface GrantsOfProps {
  /** One of both. */
  userId?: string
  orderId?: string
}

const EVENTS = [COUPON_GRANTED.type, COUPONS_GRANTED.type]

export function GrantsOf({ userId, orderId }: GrantsOfProps): ReactNode {
  const t = useText('coupons')
  const input = {
    ...(userId === undefined ? {} : { userId }),
    ...(orderId === undefined ? {} : { orderId }),
    pageSize: 200,
    sort: 'grantTime:desc',
  }
  const { data, error, refetch } = useQuery(queryOf(listGrants, input, { quiet: true }))
  const rereadSoon = useThrottled(useCallback(() => void refetch(), [refetch]))
  useLive(EVENTS, (events) => {
    const isShown = (grantId: unknown) => data?.rows.some((row) => row.grantId === grantId) ?? true
    const isOurs = events.some(
      ({ type, data: change }) =>
        // granted to many, and to this customer if the event was sent to the room of the customer
        (type === COUPONS_GRANTED.type && userId !== undefined) ||
        isShown(change.grantId) ||
        (userId === undefined ? change.orderId === orderId : change.userId === userId),
    )
    if (isOurs) rereadSoon()
  })
  if (!data)
    return error ? (
      <ErrorPane error={error} onRetry={() => void refetch()} />
    ) : (
      <div className="bp6-skeleton" role="status" aria-label={t('ui:grid.loading')}>
        &nbsp;
      </div>
    )
  if (data.rows.length === 0)
    return (
      <Empty icon="credit-card" reason={t(orderId === undefined ? 'noGrants' : 'noneOfOrder')} />
    )
  return (
    <div className="coupon-scroll" role="region" aria-label={t('tab.ofCustomer')} tabIndex={0}>
      <table className="coupon-table">
        <thead>
          <tr>
            <th>{t('col.grantId')}</th>
            <th>{t('col.couponName')}</th>
            <th>{t('col.state')}</th>
            <th>{t('col.value')}</th>
            <th className="is-right">{t('col.amount')}</th>
            <th>{t(orderId === undefined ? 'col.orderId' : 'col.recordId')}</th>
            <th>{t('col.useTime')}</th>
            <th>{t('col.expireTime')}</th>
            <th>{t('col.grantTime')}</th>
            <th>{t('col.source')}</th>
            <th className="is-right">{t('col.minAmount')}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.grantId}>
              <td className="tabular">{row.grantId}</td>
              <td>{row.couponName}</td>
              <td>
                <StatusTag tone={grantTone(row.state)}>{t(`grantState.${row.state}`)}</StatusTag>
              </td>
              <td>
                {t(`preferential.${row.preferentialType}`)} · {valueText(row, t)}
              </td>
              <td className="is-right">
                {row.state === 'used' ? <Money paise={row.amount} /> : '—'}
              </td>
              <td className="tabular">
                {(orderId === undefined ? row.orderId : row.recordId) ?? '—'}
              </td>
              <td>
                <IstTime value={row.useTime} />
              </td>
              <td>
                <IstTime value={row.expireTime} />
              </td>
              <td>
                <IstTime value={row.grantTime} />
              </td>
              <td>{t(`source.${row.source}`)}</td>
              <td className="is-right">
                <Money paise={row.minAmount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
