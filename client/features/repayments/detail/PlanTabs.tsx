/**
 * History of the instalment: its payments with what each cleared, and its fines by day.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { GrantsOf, useSeesCoupons } from '#client/features/coupons/public.tsx'
import { penaltyLines } from '#client/features/orders/public.tsx'
import { DetailTabs } from '#client/screen/detail/DetailTabs.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { PaymentToConfirm } from '../forms/ConfirmPayment.tsx'
import type { PlanDetail } from '../payment-types.ts'
import { OrderProofs, useSeesProofs } from '../public.tsx'
import { fineLines } from './fine-lines.ts'
import { RecordsTable } from './RecordsTable.tsx'
import { ReductionsTable } from './ReductionsTable.tsx'

const TABS = ['records', 'fines', 'reductions', 'coupons', 'proofs'] as const
type TabId = (typeof TABS)[number]

export function PlanTabs({
  detail,
  onConfirm,
  onChanged,
}: {
  detail: PlanDetail
  onConfirm: (payment: PaymentToConfirm) => void
  onChanged: () => void
}): ReactNode {
  const t = useText('repayments')
  const sees = useSeesProofs()
  const seesCoupons = useSeesCoupons()
  const tabs = TABS.filter(
    (tab) => (sees || tab !== 'proofs') && (seesCoupons || tab !== 'coupons'),
  )
  const counts: Record<TabId, number> = {
    records: detail.records.length,
    fines: detail.fines.length,
    reductions: detail.reductions.length,
    coupons: 0,
    proofs: 0,
  }
  const panels: Record<TabId, ReactNode> = {
    records:
      detail.records.length === 0 ? (
        <Empty reason={t('detail.noRecords')} icon="bank-account" />
      ) : (
        <RecordsTable
          records={detail.records}
          label={t('tab.records')}
          onConfirm={onConfirm}
          onChanged={onChanged}
          allocations={detail.allocations}
        />
      ),
    fines: <FinesTable detail={detail} />,
    reductions: <ReductionsTable rows={detail.reductions} />,
    coupons: <GrantsOf orderId={detail.order.orderId} />,
    proofs: <OrderProofs orderId={detail.order.orderId} />,
  }
  return (
    <DetailTabs
      id={`plan-${detail.plan.planId}`}
      tabs={tabs.map((tab) => ({
        id: tab,
        title: t(`tab.${tab}`),
        count: counts[tab],
        panel: () => panels[tab],
      }))}
    />
  )
}

/** Newest first: each booking with the days it covers and the running total. */
function FinesTable({
  detail: {
    fines,
    plan,
    order: { penalty },
  },
}: {
  detail: PlanDetail
}): ReactNode {
  const t = useText('repayments')
  const ofOrders = useText('orders')
  if (fines.length === 0) return <Empty reason={t('detail.noFines')} icon="calendar" />
  return (
    <>
      <p className="money-note">
        {t('detail.fineRule', {
          rate: penaltyLines(penalty, ofOrders).join(' · '),
        })}
      </p>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('detail.day')}</th>
            <th className="is-right">{t('detail.days')}</th>
            <th className="is-right">{t('detail.perDay')}</th>
            <th className="is-right">{t('col.overdueFine')}</th>
            <th className="is-right">{t('detail.fineSoFar')}</th>
          </tr>
        </thead>
        <tbody>
          {fineLines(fines, plan.dueTime)
            .toReversed()
            .map((line) => (
              <tr key={line.to}>
                <td>
                  {line.days > 1 && (
                    <>
                      <IstTime value={line.from} style="day" /> –{' '}
                    </>
                  )}
                  <IstTime value={line.to} style="day" />
                </td>
                <td className="is-right">{line.days > 0 ? line.days : '—'}</td>
                <td className="is-right">
                  <Money paise={line.perDay} />
                </td>
                <td className={`is-right${line.fine < 0 ? ' is-warn' : ''}`}>
                  <Money paise={line.fine} />
                </td>
                <td className="is-right">
                  <Money paise={line.soFar} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  )
}
