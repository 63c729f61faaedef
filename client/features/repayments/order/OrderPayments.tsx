/** Payments of one order, those that failed or were taken back too; kept true by events. */
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/Empty.tsx'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { Money } from '#client/ui/Money.tsx'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import { RecordActions, useActsOn } from '../detail/RecordActions.tsx'
import { type AskedPayment, ConfirmPayment } from '../forms/ConfirmPayment.tsx'
import { codeWord, doerWord, flagTone, payTone } from '../payment-words.ts'
import { useSay } from '../use-say.ts'

const EVENTS = [REPAYMENT_CHANGED.type]

export function OrderPayments({ orderId }: { orderId: string }): ReactNode {
  const t = useSay()
  const { data, error, refetch } = useQuery(queryOf(listRecords, { orderId, pageSize: 200, sort: 'payTime:desc' }, { quiet: true }))
  const rereadSoon = useThrottled(useCallback(() => void refetch(), [refetch]))
  const [asked, setAsked] = useState<AskedPayment | null>(null)
  const acts = useActsOn(data?.rows ?? [])
  useLive(EVENTS, (events) => {
    if (events.some((event) => event.data.orderId === orderId)) rereadSoon()
  })
  if (!data) return error ? <ErrorPane error={error} onRetry={() => void refetch()} /> : <div className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />
  if (data.rows.length === 0) return <Empty icon="bank-account" reason={t('list.noRecords')} />
  return (
    <div className="money-scroll" role="region" aria-label={t('menu.repay_record')} tabIndex={0}>
      <table className="money-table">
        <thead>
          <tr>
            <th>{t('col.recordId')}</th>
            <th>{t('col.payState')}</th>
            <th>{t('col.payTime')}</th>
            <th className="is-right">{t('col.amount')}</th>
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
          {data.rows.map((record) => {
            const state = record.reversedTime === null ? record.payState : 'reversed'
            return (
              <tr key={record.recordId}>
                <td className="tabular">{record.recordId}</td>
                <td>
                  <StatusTag tone={payTone(state)} {...(record.failReason === null ? {} : { title: record.failReason })}>{codeWord('payState', state, t)}</StatusTag>{' '}
                  {record.flag !== null && <StatusTag tone={flagTone(record.flag)}>{codeWord('flag', record.flag, t)}</StatusTag>}
                </td>
                <td><IstTime value={record.payTime} /></td>
                <td className="is-right"><Money paise={record.amount} /></td>
                {acts && <td><RecordActions record={record} onAsk={setAsked} /></td>}
                <td>{codeWord('type', record.repaymentType, t)}</td>
                <td>{codeWord('channel', record.channel, t)}</td>
                <td className="tabular">{record.utr ?? '—'}</td>
                <td>{record.upi ?? '—'}</td>
                <td>{record.bankCode ?? '—'}</td>
                <td>{doerWord(record.operatorName, t)}</td>
                <td>{record.confirmerName === null ? '—' : doerWord(record.confirmerName, t)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <ConfirmPayment asked={asked} onRow={() => void refetch()} onClose={() => setAsked(null)} />
    </div>
  )
}
