import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { OrderDetail } from '../order-types.ts'
import { codeWord, payTone } from '../order-words.ts'
import { TransferActions } from './TransferActions.tsx'

/** Payout attempts, newest first, with the actions on the one the order waits on. */
export function TransfersTable({
  detail,
  onDone,
}: {
  detail: OrderDetail
  onDone: () => void
}): ReactNode {
  const t = useText('orders')
  const { transfers } = detail
  if (transfers.length === 0) return <Empty reason={t('transfer.none')} icon="send-to" />
  return (
    <>
      <TransferActions detail={detail} onDone={onDone} />
      <div className="plain-scroll" role="region" aria-label={t('tab.transfers')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th className="is-right">{t('transfer.attemptNo')}</th>
              <th>{t('transfer.payState')}</th>
              <th className="is-right">{t('transfer.amount')}</th>
              <th>{t('col.failReason')}</th>
              <th>{t('transfer.payee')}</th>
              <th>{t('transfer.account')}</th>
              <th>{t('transfer.type')}</th>
              <th>{t('transfer.platformNo')}</th>
              <th>{t('transfer.vendor')}</th>
              <th>{t('transfer.vendorNo')}</th>
              <th>{t('transfer.utr')}</th>
              <th>{t('col.createTime')}</th>
              <th>{t('transfer.finishTime')}</th>
              <th>{t('transfer.handling')}</th>
            </tr>
          </thead>
          <tbody>
            {transfers.map((transfer) => (
              <tr key={transfer.transferId}>
                <td className="is-right">{transfer.attemptNo}</td>
                <td>
                  <StatusTag tone={payTone(transfer.payState)}>
                    {codeWord('pay', transfer.payState, t)}
                  </StatusTag>
                </td>
                <td className="is-right">
                  <Money paise={transfer.amount} />
                </td>
                <td>
                  {transfer.failReason ??
                    (transfer.waitReason ? t(`transfer.waits.${transfer.waitReason}`) : '—')}
                </td>
                <td>{transfer.payeeName}</td>
                <td className="tabular">{transfer.account}</td>
                <td>{transfer.transferType}</td>
                <td className="tabular">{transfer.platformOrderNo}</td>
                <td>{transfer.vendorCode}</td>
                <td className="tabular">{transfer.vendorOrderNo ?? '—'}</td>
                <td className="tabular">{transfer.utr ?? '—'}</td>
                <td>
                  <IstTime value={transfer.createTime} />
                </td>
                <td>
                  <IstTime value={transfer.finishTime} />
                </td>
                <td>
                  {transfer.handlingMethod ? codeWord('handling', transfer.handlingMethod, t) : '—'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
