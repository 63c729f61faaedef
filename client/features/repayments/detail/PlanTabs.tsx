/**
 * History of the instalment: its payments with what each cleared, and its fines by day. The
 * selected tab is in the URL.
 */
import { type Text, useText } from '#client/base/use-text.ts'
import '#client/ui/frame/detail-tabs.css'
import { Tab, Tabs } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { penaltyLines } from '#client/features/orders/public.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { AskedPayment } from '../forms/ConfirmPayment.tsx'
import type { PlanDetail } from '../payment-types.ts'
import { OrderProofs, useSeesProofs } from '../public.tsx'
import { fineLines } from './fine-lines.ts'
import { RecordsTable } from './RecordsTable.tsx'
import { ReductionsTable } from './ReductionsTable.tsx'

const TABS = ['records', 'fines', 'reductions', 'proofs'] as const
type TabId = (typeof TABS)[number]

export function PlanTabs({
  detail,
  onAsk,
  onChanged,
}: {
  detail: PlanDetail
  onAsk: (asked: AskedPayment) => void
  onChanged: () => void
}): ReactNode {
  const t = useText('repayments')
  const [params, setParams] = useSearchParams()
  const sees = useSeesProofs()
  const tabs = TABS.filter((tab) => sees || tab !== 'proofs')
  const chosen = tabs.find((tab) => tab === params.get('tab')) ?? 'records'
  const choose = (tab: TabId) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('tab', tab)
        return next
      },
      { replace: true },
    )
  const counts: Record<TabId, number> = {
    records: detail.records.length,
    fines: detail.fines.length,
    reductions: detail.reductions.length,
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
          onAsk={onAsk}
          onChanged={onChanged}
          allocations={detail.allocations}
        />
      ),
    fines: <FinesTable detail={detail} />,
    reductions: <ReductionsTable rows={detail.reductions} />,
    proofs: <OrderProofs orderId={detail.order.orderId} />,
  }
  return (
    <div className="detail-tabs">
      <Tabs
        id={`plan-${detail.plan.planId}`}
        selectedTabId={chosen}
        onChange={(tab) => choose(tab as TabId)}
        renderActiveTabPanelOnly
      >
        {tabs.map((tab) => (
          <Tab
            key={tab}
            id={tab}
            title={t(`tab.${tab}`)}
            tagContent={counts[tab] || undefined}
            tagProps={{ minimal: true, round: true }}
            panel={<div className="plan-panel">{panels[tab]}</div>}
          />
        ))}
      </Tabs>
    </div>
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
  const { t: ofOrders } = useTranslation('orders')
  if (fines.length === 0) return <Empty reason={t('detail.noFines')} icon="calendar" />
  return (
    <>
      <p className="money-note">
        {t('detail.fineRule', {
          rate: penaltyLines(penalty, ofOrders as unknown as Text).join(' · '),
        })}
      </p>
      <table className="money-table">
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
