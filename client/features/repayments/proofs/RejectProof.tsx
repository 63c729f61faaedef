/** Form for the reason of a rejection. Collection of the customer's cases resumes afterwards. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { CHANGED_BY_OTHER } from '#shared/kernel/problem.ts'
import { decideProof } from '#shared/repayments/proofs-api.ts'
import { PROOF_STATE } from '#shared/repayments/repayment-problems.ts'
import type { ProofRow } from '../payment-types.ts'

export function RejectProof({
  proof,
  onRow,
  onClose,
}: {
  proof: ProofRow | null
  onRow: (row: ProofRow) => void
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const send = useSend(decideProof)
  async function reject({ proofId, version }: ProofRow, reason: string): Promise<void> {
    try {
      onRow((await send.mutateAsync({ proofId, version, result: 'rejected', reason })).proof)
      void showMessage({
        intent: 'success',
        message: t('proof.rejected', { proofId }),
        key: `proof:${proofId}`,
      })
    } catch (error) {
      if (
        !(error instanceof CallError) ||
        (error.problem?.id !== PROOF_STATE.id && error.problem?.id !== CHANGED_BY_OTHER.id) ||
        error.data === null
      )
        throw error
      // the call layer has shown who decided first
      onRow(error.data as ProofRow)
    }
  }
  return (
    <ConfirmAction
      isOpen={proof !== null}
      intent="danger"
      title={t('proof.rejectAsk')}
      {...(proof ? { amount: proof.amount } : {})}
      confirmText={t('proof.reject')}
      reason={{ label: t('col.reason'), min: 4, max: 200 }}
      onConfirm={(reason) => (proof === null ? Promise.resolve() : reject(proof, reason))}
      onClose={onClose}
    >
      {proof && (
        <p>
          {proof.userName} · {proof.orderId} · <span className="tabular">{proof.utr}</span>
        </p>
      )}
      <p>{t('proof.rejectEffect')}</p>
    </ConfirmAction>
  )
}
