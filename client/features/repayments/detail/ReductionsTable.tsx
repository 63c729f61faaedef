/** Reductions of an order, newest first. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { PlanDetail } from '../payment-types.ts'
import { codeWord, reductionTone } from '../payment-words.ts'

export function ReductionsTable({ rows }: { rows: PlanDetail['reductions'] }): ReactNode {
  const t = useText('repayments')
  if (rows.length === 0) return <Empty icon="arrow-down" reason={t('list.noReductions')} />
  return (
    <div className="plain-scroll" role="region" aria-label={t('tab.reductions')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('col.reduceId')}</th>
            <th>{t('col.state')}</th>
            <th className="is-right">{t('col.reduceAmount')}</th>
            <th className="is-right">{t('col.payAmount')}</th>
            <th>{t('col.validUntil')}</th>
            <th>{t('col.launchBy')}</th>
            <th>{t('col.decideBy')}</th>
            <th>{t('col.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.reduceId}>
              <td>{row.reduceId}</td>
              <td>
                <StatusTag tone={reductionTone(row.state)}>
                  {row.cause === null
                    ? codeWord('reductionState', row.state, t)
                    : codeWord('reductionCause', row.cause, t)}
                </StatusTag>
              </td>
              <td className="is-right">
                <Money paise={row.reduceAmount} />
              </td>
              <td className="is-right">
                <Money paise={row.payAmount} />
              </td>
              <td>
                <IstTime value={row.validUntil} style="day" />
              </td>
              <td>{row.launchBy}</td>
              <td>{row.decideBy ?? '—'}</td>
              <td>{row.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
