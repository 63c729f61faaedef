/**
 * Decides one or many reductions: first shows what the decision does, which of the selected are
 * left out and why; afterwards shows what was refused.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { problemText } from '#client/session/call-error.ts'
import { useSend } from '#client/session/query.ts'
import { ExcludedRows } from '#client/screen/ExcludedRows.tsx'
import { RefusedRows } from '#client/screen/RefusedRows.tsx'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { decideReductions, type previewDecision } from '#shared/repayments/reductions-api.ts'
import type { ReduceRow } from '../payment-types.ts'

export interface AskedDecision extends DataOf<typeof previewDecision> {
  result: InputOf<typeof previewDecision>['result']
  rows: readonly ReduceRow[]
}

const SHOWN = 8

export function DecideQuestion({
  asked,
  onDone,
  onClose,
}: {
  asked: AskedDecision | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const decide = useSend(decideReductions)
  const result = asked?.result ?? 'approved'
  const { run, refused } = useBulk({
    key: 'reduction:decided',
    done: (n) => t(`reduce.decided.${result}`, { n }),
    onDone,
  })
  const excluded = asked?.excluded ?? []
  const none = asked !== null && asked.ready.length === 0
  const ready = new Set(asked?.ready)
  const shown = (asked?.rows ?? []).filter(({ reduceId }) => ready.has(reduceId)).slice(0, SHOWN)
  return (
    <>
      <ConfirmAction
        isOpen={asked !== null && !none}
        intent={result === 'approved' ? 'primary' : 'danger'}
        title={t(`reduce.question.${result}`)}
        count={ready.size}
        amount={asked?.amount ?? 0}
        confirmText={t(result === 'approved' ? 'reduce.approve' : 'reduce.reject')}
        {...(result === 'rejected' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={(reason) =>
          run(asked?.ready ?? [], (reduceIds) =>
            decide.mutateAsync({ reduceIds, result, ...(result === 'rejected' ? { reason } : {}) }),
          )
        }
        onClose={onClose}
      >
        <ul className="money-asked">
          {shown.map((row) => (
            <li key={row.reduceId}>
              {row.userName} · {row.orderId} · <Money paise={row.reduceAmount} />{' '}
              <span className="is-same">
                {row.launchBy} — {row.reason}
              </span>
            </li>
          ))}
        </ul>
        <ExcludedRows
          rows={excluded.map(({ reduceId, problem, params, msg }) => ({
            id: reduceId,
            why: problemText({ id: problem, params }) ?? msg,
          }))}
        />
        <p>{t(`reduce.effect.${result}`)}</p>
      </ConfirmAction>
      {refused}
      <RefusedRows
        failed={
          none
            ? excluded.map(({ reduceId, problem, params, msg }) => ({
                id: reduceId,
                code: 400,
                msg,
                problem,
                params,
              }))
            : []
        }
        onClose={onClose}
      />
    </>
  )
}
