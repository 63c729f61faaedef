/**
 * Decides one or many reductions: first shows what the decision does, which of the selected are
 * left out and why.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { problemText } from '#client/session/call-error.ts'
import { useSend } from '#client/session/query.ts'
import { BulkDrawer } from '#client/screen/BulkDrawer.tsx'
import { ExcludedRows } from '#client/screen/ExcludedRows.tsx'
import type { Bulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { decideReductions, type previewDecision } from '#shared/repayments/reductions-api.ts'
import type { ReduceRow } from '../payment-types.ts'

export interface DecisionPreview extends DataOf<typeof previewDecision> {
  result: InputOf<typeof previewDecision>['result']
  rows: readonly ReduceRow[]
}

const SHOWN = 8

export function DecideQuestion({
  preview,
  run,
  onClose,
}: {
  preview: DecisionPreview
  /** Runs the call and shows the rows it refused. */
  run: Bulk['run']
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const decide = useSend(decideReductions)
  const { result, excluded } = preview
  const ready = new Set(preview.ready)
  const none = ready.size === 0
  const shown = preview.rows.filter(({ reduceId }) => ready.has(reduceId)).slice(0, SHOWN)
  return (
    <>
      <ConfirmAction
        isOpen={!none}
        intent={result === 'approved' ? 'primary' : 'danger'}
        title={t(`reduce.question.${result}`)}
        count={ready.size}
        amount={preview.amount}
        confirmText={t(result === 'approved' ? 'reduce.approve' : 'reduce.reject')}
        {...(result === 'rejected' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={(reason) =>
          run(
            preview.ready,
            (reduceIds) =>
              decide.mutateAsync({
                reduceIds,
                result,
                ...(result === 'rejected' ? { reason } : {}),
              }),
            false,
            (n) => t(`reduce.decided.${result}`, { n }),
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
      {none && (
        <BulkDrawer
          run={{
            ids: excluded.map(({ reduceId }) => reduceId),
            result: {
              ok: [],
              failed: excluded.map(({ reduceId, problem, params, msg }) => ({
                id: reduceId,
                code: 400,
                msg,
                problem,
                params,
              })),
            },
          }}
          onClose={onClose}
        />
      )}
    </>
  )
}
