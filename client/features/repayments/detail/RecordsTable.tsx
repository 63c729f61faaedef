/**
 * Payments in full width, newest first; with `allocations`, what each payment cleared of one
 * instalment, and the total.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { PayerUpi } from '#client/features/customers/public.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { PaymentToConfirm } from '../forms/ConfirmPayment.tsx'
import { PARTS } from '../list/counted.ts'
import type { PlanDetail, RecordRow } from '../payment-types.ts'
import { codeWord, whyState } from '../payment-words.ts'
import { RecordActions, useActsOn } from './RecordActions.tsx'
import { RecordTags } from './RecordTags.tsx'

interface RecordsTableGiven {
  records: readonly RecordRow[]
  label: string
  onConfirm: (payment: PaymentToConfirm) => void
  /** A request for one of them was made or withdrawn: they have to be read again. */
  onChanged: () => void
  allocations?: PlanDetail['allocations']
}

export function RecordsTable({
  records,
  label,
  onConfirm,
  onChanged,
  allocations,
}: RecordsTableGiven): ReactNode {
  const t = useText('repayments')
  const acts = useActsOn(records)
  const parts = allocations ? PARTS : []
  const cleared = (part: (typeof PARTS)[number], recordId?: string) =>
    (allocations ?? []).reduce(
      (sum, line) => sum + (recordId === undefined || line.recordId === recordId ? line[part] : 0),
      0,
    )
  return (
    <div className="plain-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('col.recordId')}</th>
            <th>{t('col.payState')}</th>
            <th>{t('col.payTime')}</th>
            <th className="is-right">{t('col.amount')}</th>
            {parts.map((part) => (
              <th key={part} className="is-right">
                {t(`col.${part}`)}
              </th>
            ))}
            {acts && (
              <th>
                <span className="visually-hidden">{t('ui:grid.rowActions')}</span>
              </th>
            )}
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
          {records.map((record) => (
            <tr key={record.recordId}>
              <td className="tabular">{record.recordId}</td>
              <td>
                <RecordTags record={record} why={whyState(record)} />
              </td>
              <td>
                <IstTime value={record.payTime} />
              </td>
              <td className="is-right">
                <Money paise={record.amount} />
              </td>
              {parts.map((part) => (
                <td key={part} className="is-right">
                  <Money
                    paise={record.payState === 'success' ? cleared(part, record.recordId) : null}
                  />
                </td>
              ))}
              {acts && (
                <td>
                  <RecordActions record={record} onConfirm={onConfirm} onChanged={onChanged} />
                </td>
              )}
              <td>{codeWord('type', record.repaymentType, t)}</td>
              <td>{codeWord('channel', record.channel, t)}</td>
              <td className="tabular">{record.utr ?? '—'}</td>
              <td>
                {record.userId === null ? (
                  (record.upi ?? '—')
                ) : (
                  <PayerUpi userId={record.userId} recordId={record.recordId} upi={record.upi} />
                )}
              </td>
              <td>{record.bankCode ?? '—'}</td>
              <td>{actorLabel(record.operatorName)}</td>
              <td>{record.confirmerName === null ? '—' : actorLabel(record.confirmerName)}</td>
            </tr>
          ))}
        </tbody>
        {allocations && (
          <tfoot>
            <tr>
              <th colSpan={4} scope="row">
                {t('detail.clearedTotal')}
              </th>
              {parts.map((part) => (
                <td key={part} className="is-right">
                  <Money paise={cleared(part)} />
                </td>
              ))}
              <td colSpan={acts ? 8 : 7} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
