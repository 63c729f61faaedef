/** What a payment cleared of each instalment of its order, and what was reversed of it. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Money } from '#client/ui/value/Money.tsx'
import type { RecordDetail } from '../payment-types.ts'
import { PlanLink } from '../public.tsx'
import { nothingCounted, PARTS, sumOf } from './counted.ts'

export function CountedTable({
  detail: { record, allocations },
}: {
  detail: RecordDetail
}): ReactNode {
  const t = useText('repayments', 'ledger')
  const columns = [...PARTS, null]
  return (
    <section aria-labelledby="record-counted">
      <h2 id="record-counted">{t('record.counted')}</h2>
      {allocations.length === 0 ? (
        <p className="money-note">{t(nothingCounted(record))}</p>
      ) : (
        <div className="plain-scroll" role="region" aria-labelledby="record-counted" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('record.instalment')}</th>
                <th>{t('record.entry')}</th>
                {columns.map((part) => (
                  <th key={part} className="is-right">
                    {t(part === null ? 'record.sum' : `col.${part}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {allocations.map((line) => (
                <tr key={`${line.planId} ${line.kind}`}>
                  <td>
                    <PlanLink planId={line.planId}>
                      {line.serialNo} · {line.planId}
                    </PlanLink>
                  </td>
                  <td>{t(`ledger:postings.${line.kind}`, { defaultValue: line.kind })}</td>
                  {columns.map((part) => (
                    <td key={part} className="is-right">
                      <Money paise={sumOf([line], part)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th colSpan={2} scope="row">
                  {t('record.sum')}
                </th>
                {columns.map((part) => (
                  <td key={part} className="is-right">
                    <Money paise={sumOf(allocations, part)} />
                  </td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  )
}
