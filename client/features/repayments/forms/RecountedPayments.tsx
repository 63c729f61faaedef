/**
 * Payments that clear something else because another one counts before them: by instalment, the
 * difference of each part; what an instalment no longer takes is the customer's credit.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { PaymentPreview } from '../payment-types.ts'

const PARTS = ['overdueFine', 'interest', 'serviceFee', 'principal'] as const

export function RecountedPayments({
  recounted,
}: {
  recounted: PaymentPreview['recounted']
}): ReactNode {
  const t = useText('repayments')
  const shown = PARTS.filter((part) => recounted.some(({ change }) => change[part] !== 0))
  const hasCredit = recounted.some(({ credit }) => credit !== 0)
  return (
    <>
      <h3>{t('preview.recounted')}</h3>
      <div className="plain-scroll" role="region" aria-label={t('preview.recounted')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('col.recordId')}</th>
              <th className="is-right">{t('col.serialNo')}</th>
              {shown.map((part) => (
                <th key={part} className="is-right">
                  {t(`col.${part}`)}
                </th>
              ))}
              {hasCredit && <th className="is-right">{t('col.surplus')}</th>}
            </tr>
          </thead>
          <tbody>
            {recounted.map(({ recordId, payTime, serialNo, change, credit }) => (
              <tr key={`${recordId} ${serialNo}`}>
                <td>
                  {recordId}
                  <div className="is-same">
                    <IstTime value={payTime} style="day" />
                  </div>
                </td>
                <td className="is-right">{serialNo ?? '—'}</td>
                {shown.map((part) => (
                  <td key={part} className="is-right">
                    <Difference paise={change[part]} />
                  </td>
                ))}
                {hasCredit && (
                  <td className="is-right">
                    <Difference paise={credit} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Difference({ paise }: { paise: number }): ReactNode {
  if (paise === 0) return <span className="is-same">—</span>
  return (
    <>
      {paise > 0 && '+'}
      <Money paise={paise} />
    </>
  )
}
