/**
 * Payment proofs of one order, shown with the order, instalment or case; kept current by events.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './proofs.css'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { listProofs } from '#shared/repayments/proofs-api.ts'
import { PROOF_CHANGED, REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { ProofRow } from '../payment-types.ts'
import { codeWord, proofTone } from '../payment-words.ts'
import { ProofDrawer } from './ProofDrawer.tsx'

const EVENTS = [PROOF_CHANGED.type, REPAYMENT_CHANGED.type]

export function OrderProofs({ orderId }: { orderId: string }): ReactNode {
  const t = useText('repayments')
  const { data, error, refetch } = useQuery(
    queryOf(listProofs, { orderId, pageSize: 200, sort: 'createTime:desc' }, { quiet: true }),
  )
  const rereadSoon = useThrottled(useCallback(() => void refetch(), [refetch]))
  const [shown, setShown] = useState<string | null>(null)
  useLive(EVENTS, (events) => {
    if (events.some((event) => event.data.orderId === orderId)) rereadSoon()
  })
  if (!data)
    return error ? (
      <ErrorPane error={error} onRetry={() => void refetch()} />
    ) : (
      <div className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />
    )
  if (data.rows.length === 0) return <Empty icon="manual" reason={t('list.noProofs')} />
  const open = data.rows.find((row) => row.proofId === shown)
  return (
    <div className="plain-scroll" role="region" aria-label={t('menu.repay_proof')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('col.proofId')}</th>
            <th>{t('col.state')}</th>
            <th className="is-right">{t('col.amount')}</th>
            <th>{t('col.utr')}</th>
            <th>{t('col.payTime')}</th>
            <th>{t('col.submitName')}</th>
            <th>{t('col.decideBy')}</th>
            <th>{t('col.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <Line key={row.proofId} row={row} onOpen={() => setShown(row.proofId)} />
          ))}
        </tbody>
      </table>
      {open && <ProofDrawer proof={open} onClose={() => setShown(null)} />}
    </div>
  )
}

function Line({ row, onOpen }: { row: ProofRow; onOpen: () => void }): ReactNode {
  const t = useText('repayments')
  return (
    <tr>
      <td>
        <Button
          variant="minimal"
          size="small"
          icon="eye-open"
          text={row.proofId}
          aria-label={`${t('proof.look')}: ${row.proofId}`}
          onClick={onOpen}
        />
      </td>
      <td>
        <StatusTag tone={proofTone(row.state)}>{codeWord('proofState', row.state, t)}</StatusTag>{' '}
        {row.duplicate && <StatusTag tone="bad">{t('proof.duplicate')}</StatusTag>}
      </td>
      <td className="is-right">
        <Money paise={row.amount} />
      </td>
      <td className="tabular">{row.utr}</td>
      <td>
        <IstTime value={row.payTime} />
      </td>
      <td>
        {row.submitter === 'customer' ? codeWord('submitter', 'customer', t) : row.submitName}
      </td>
      <td>{row.decideBy ?? '—'}</td>
      <td>{row.reason ?? '—'}</td>
    </tr>
  )
}
