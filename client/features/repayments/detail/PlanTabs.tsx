/** What happened to the instalment: its payments with what each cleared, and its fines by day. The chosen tab stands in the address. */
import { Tab, Tabs } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { penaltyLines } from '#client/features/orders/public.tsx'
import { Empty } from '#client/ui/Empty.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { Money } from '#client/ui/Money.tsx'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import type { AskedPayment } from '../forms/ConfirmPayment.tsx'
import type { PlanDetail } from '../payment-types.ts'
import { codeWord, doerWord, flagTone, payTone } from '../payment-words.ts'
import { OrderProofs, useSeesProofs } from '../public.tsx'
import { type Say, useSay } from '../use-say.ts'
import { fineLines } from './fine-lines.ts'
import { RecordActions, useActsOn } from './RecordActions.tsx'
import { ReductionsTable } from './ReductionsTable.tsx'

const TABS = ['records', 'fines', 'reductions', 'proofs'] as const
type TabId = (typeof TABS)[number]
const PARTS = ['overdueFine', 'interest', 'serviceFee', 'principal'] as const

export function PlanTabs({ detail, onAsk }: { detail: PlanDetail; onAsk: (asked: AskedPayment) => void }): ReactNode {
  const t = useSay()
  const [params, setParams] = useSearchParams()
  const sees = useSeesProofs()
  const tabs = TABS.filter((tab) => sees || tab !== 'proofs')
  const chosen = tabs.find((tab) => tab === params.get('tab')) ?? 'records'
  const choose = (tab: TabId) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.set('tab', tab)
      return next
    }, { replace: true })
  const counts: Record<TabId, number> = { records: detail.records.length, fines: detail.fines.length, reductions: detail.reductions.length, proofs: 0 }
  const panels: Record<TabId, ReactNode> = { records: <RecordsTable detail={detail} onAsk={onAsk} />, fines: <FinesTable detail={detail} />, reductions: <ReductionsTable rows={detail.reductions} />, proofs: <OrderProofs orderId={detail.order.orderId} /> }
  return (
    <div className="plan-tabs">
      <Tabs id={`plan-${detail.plan.planId}`} selectedTabId={chosen} onChange={(tab) => choose(tab as TabId)} renderActiveTabPanelOnly>
        {tabs.map((tab) => (
          <Tab key={tab} id={tab} title={t(`tab.${tab}`)} tagContent={counts[tab] || undefined} tagProps={{ minimal: true, round: true }} panel={<div className="plan-panel">{panels[tab]}</div>} />
        ))}
      </Tabs>
    </div>
  )
}

function RecordsTable({ detail, onAsk }: { detail: PlanDetail; onAsk: (asked: AskedPayment) => void }): ReactNode {
  const t = useSay()
  const acts = useActsOn(detail.records)
  if (detail.records.length === 0) return <Empty reason={t('detail.noRecords')} icon="bank-account" />
  const clearedBy = (recordId: string) => detail.allocations.filter((line) => line.recordId === recordId)
  const sum = (recordId: string, part: (typeof PARTS)[number]) => clearedBy(recordId).reduce((total, line) => total + line[part], 0)
  return (
    <div className="money-scroll" role="region" aria-label={t('tab.records')} tabIndex={0}>
      <table className="money-table">
        <thead>
          <tr>
            <th>{t('col.recordId')}</th>
            <th>{t('col.payState')}</th>
            <th>{t('col.payTime')}</th>
            <th className="is-right">{t('col.amount')}</th>
            {PARTS.map((part) => <th key={part} className="is-right">{t(`col.${part}`)}</th>)}
            {acts && <th><span className="visually-hidden">{t('ui:grid.rowActions')}</span></th>}
            <th>{t('col.repaymentType')}</th>
            <th>{t('col.channel')}</th>
            <th>{t('col.utr')}</th>
            <th>{t('col.upi')}</th>
            <th>{t('col.bankCode')}</th>
            <th>{t('col.operatorName')}</th>
            <th>{t('col.confirmerName')}</th>
          </tr>
        </thead>
        <tbody>
          {detail.records.map((record) => (
            <tr key={record.recordId}>
              <td className="tabular">{record.recordId}</td>
              <td>
                <StatusTag tone={payTone(record.payState)} {...(record.failReason === null ? {} : { title: record.failReason })}>{codeWord('payState', record.payState, t)}</StatusTag>{' '}
                {record.flag !== null && <StatusTag tone={flagTone(record.flag)}>{codeWord('flag', record.flag, t)}</StatusTag>}
              </td>
              <td><IstTime value={record.payTime} /></td>
              <td className="is-right"><Money paise={record.amount} /></td>
              {PARTS.map((part) => <td key={part} className="is-right"><Money paise={record.payState === 'success' ? sum(record.recordId, part) : null} /></td>)}
              {acts && <td><RecordActions record={record} onAsk={onAsk} /></td>}
              <td>{codeWord('type', record.repaymentType, t)}</td>
              <td>{codeWord('channel', record.channel, t)}</td>
              <td className="tabular">{record.utr ?? '—'}</td>
              <td>{record.upi ?? '—'}</td>
              <td>{record.bankCode ?? '—'}</td>
              <td>{doerWord(record.operatorName, t)}</td>
              <td>{record.confirmerName === null ? '—' : doerWord(record.confirmerName, t)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th colSpan={4} scope="row">{t('detail.clearedTotal')}</th>
            {PARTS.map((part) => <td key={part} className="is-right"><Money paise={detail.allocations.reduce((total, line) => total + line[part], 0)} /></td>)}
            <td colSpan={acts ? 8 : 7} />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** Newest first: each booking with the days it covers and the sum up to it. */
function FinesTable({ detail: { fines, plan, order: { penalty } } }: { detail: PlanDetail }): ReactNode {
  const t = useSay()
  const { t: ofOrders } = useTranslation('orders')
  if (fines.length === 0) return <Empty reason={t('detail.noFines')} icon="calendar" />
  return (
    <>
      <p className="money-note">{t('detail.fineRule', { rate: penaltyLines(penalty, ofOrders as unknown as Say).join(' · ') })}</p>
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
          {fineLines(fines, plan.dueTime).toReversed().map((line) => (
            <tr key={line.to}>
              <td>{line.days > 1 && <><IstTime value={line.from} style="day" /> – </>}<IstTime value={line.to} style="day" /></td>
              <td className="is-right">{line.days > 0 ? line.days : '—'}</td>
              <td className="is-right"><Money paise={line.perDay} /></td>
              <td className={`is-right${line.fine < 0 ? ' is-warn' : ''}`}><Money paise={line.fine} /></td>
              <td className="is-right"><Money paise={line.soFar} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
