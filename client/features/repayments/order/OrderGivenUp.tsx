/**
 * Reductions and write-offs of one order, each for users who may see its list; kept current by live
 * events.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { listReductions } from '#shared/repayments/reductions-api.ts'
import { REDUCTION_CHANGED, WRITEOFF_DONE } from '#shared/repayments/repayments-live.ts'
import { listWriteOffs } from '#shared/repayments/write-offs-api.ts'
import { ReductionsTable } from '../detail/ReductionsTable.tsx'
import { codeWord, writeOffTone } from '../payment-words.ts'

const EVENTS = [REDUCTION_CHANGED.type, WRITEOFF_DONE.type]

export function OrderGivenUp({ orderId }: { orderId: string }): ReactNode {
  const t = useText('repayments')
  const { index } = useSession()
  const sees = {
    reductions: index.byName.has('reduce_list'),
    writeOffs: index.byName.has('flat_management'),
  }
  const reductions = useQuery({
    ...queryOf(
      listReductions,
      { orderId, pageSize: 200, sort: 'launchTime:desc' },
      { quiet: true },
    ),
    enabled: sees.reductions,
  })
  const writeOffs = useQuery({
    ...queryOf(listWriteOffs, { orderId, pageSize: 200, sort: 'createTime:desc' }, { quiet: true }),
    enabled: sees.writeOffs,
  })
  const reread = useCallback(() => {
    for (const list of [reductions, writeOffs]) if (list.isEnabled) void list.refetch()
  }, [reductions, writeOffs])
  const rereadSoon = useThrottled(reread)
  useLive(EVENTS, (events) => {
    if (events.some((event) => event.data.orderId === orderId)) rereadSoon()
  })
  const error = reductions.error ?? writeOffs.error
  if (error) return <ErrorPane error={error} onRetry={reread} />
  if ((sees.reductions && !reductions.data) || (sees.writeOffs && !writeOffs.data))
    return (
      <div className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />
    )
  const written = writeOffs.data?.rows ?? []
  const reduced = reductions.data?.rows ?? []
  if (written.length + reduced.length === 0)
    return <Empty icon="arrow-down" reason={t('detail.nothingGivenUp')} />
  return (
    <>
      {reduced.length > 0 && <ReductionsTable rows={reduced} />}
      {written.length > 0 && (
        <div
          className="plain-scroll"
          role="region"
          aria-label={t('menu.flat_management')}
          tabIndex={0}
        >
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('col.writeOffId')}</th>
                <th>{t('col.state')}</th>
                <th>{t('col.writeOffType')}</th>
                <th className="is-right">{t('col.amount')}</th>
                <th className="is-right">{t('col.outstandingBefore')}</th>
                <th>{t('col.createTime')}</th>
                <th>{t('col.writtenBy')}</th>
                <th>{t('col.confirmerName')}</th>
                <th>{t('col.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {written.map((row) => (
                <tr key={row.writeOffId}>
                  <td className="tabular">{row.writeOffId}</td>
                  <td>
                    <StatusTag tone={writeOffTone(row.state)}>
                      {codeWord('writeOffState', row.state, t)}
                    </StatusTag>
                  </td>
                  <td>{codeWord('writeOffType', row.type, t)}</td>
                  <td className="is-right">
                    <Money paise={row.amount} />
                  </td>
                  <td className="is-right">
                    <Money paise={row.outstandingBefore} />
                  </td>
                  <td>
                    <IstTime value={row.createTime} />
                  </td>
                  <td>{row.operatorName}</td>
                  <td>{row.confirmerName ?? '—'}</td>
                  <td>{row.reason ?? '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
