import { useText } from '#client/base/use-text.ts'
import { Fragment, type ReactNode } from 'react'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { LedgerLine } from '../order-types.ts'
import { postingsOf } from './order-ledger.ts'

/** The books of the order: each posting with its lines, its sums, and the totals up to it. */
export function LedgerTable({ lines }: { lines: readonly LedgerLine[] }): ReactNode {
  const t = useText('ledger', 'orders')
  // an order of one instalment needs no number beside each line
  const numbered = lines.some(({ serialNo }) => serialNo !== null && serialNo > 1)
  if (lines.length === 0) return <Empty reason={t('none')} icon="bank-account" />
  return (
    <div className="plain-scroll" role="region" aria-label={t('orders:tab.ledger')} tabIndex={0}>
      <table className="plain-table order-ledger">
        <thead>
          <tr>
            <th>{t('account')}</th>
            <th className="is-right">{t('debit')}</th>
            <th className="is-right">{t('credit')}</th>
            <th className="is-right">{t('debitSoFar')}</th>
            <th className="is-right">{t('creditSoFar')}</th>
          </tr>
        </thead>
        <tbody>
          {postingsOf(lines).map((posting) => (
            <Fragment key={posting.txnId}>
              <tr className="order-posting">
                <th scope="rowgroup">
                  {t(`postings.${posting.kind}`, { defaultValue: posting.kind })}{' '}
                  <span className="order-posting-of">
                    <IstTime value={posting.day} style="day" /> ·{' '}
                    <span className="tabular">{posting.txnId}</span>
                  </span>
                </th>
                <td className="is-right">
                  <Money paise={posting.debit} />
                </td>
                <td className="is-right">
                  <Money paise={posting.credit} />
                </td>
                <td className="is-right">
                  <Money paise={posting.debitSoFar} />
                </td>
                <td className="is-right">
                  <Money paise={posting.creditSoFar} />
                </td>
              </tr>
              {posting.lines.map((line, i) => (
                <tr key={`${posting.txnId} ${i}`}>
                  <td>
                    {t(`accounts.${line.account}`, { defaultValue: line.account })}
                    {numbered && line.serialNo !== null && (
                      <span className="order-posting-of">
                        {' '}
                        · {t('serialNo', { no: line.serialNo })}
                      </span>
                    )}
                  </td>
                  <td className="is-right">
                    {line.debit > 0 ? <Money paise={line.debit} /> : null}
                  </td>
                  <td className="is-right">
                    {line.credit > 0 ? <Money paise={line.credit} /> : null}
                  </td>
                  <td />
                  <td />
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
