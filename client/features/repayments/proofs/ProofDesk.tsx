/** One proof with the keys and buttons that decide it; the form of a decision takes its place. */
import { type ReactNode, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { isTopmost } from '#client/ui/frame/overlay.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { decideProof } from '#shared/repayments/proofs-api.ts'
import { proofRefusal } from '../forms/payment-rules.ts'
import type { ProofRow } from '../payment-types.ts'
import { AcceptForm } from './AcceptForm.tsx'
import { ProofDrawer } from './ProofDrawer.tsx'
import { RejectProof } from './RejectProof.tsx'

const DECISIONS = [
  { id: 'reject', keys: 'R', icon: 'cross', intent: 'danger', variant: 'outlined' },
  { id: 'accept', keys: 'A', icon: 'tick', intent: 'success', variant: 'solid' },
] as const

export interface ProofDeskProps {
  proof: ProofRow
  onRow: (row: ProofRow) => void
  onClose: () => void
}

export function ProofDesk({ proof, onRow, onClose }: ProofDeskProps): ReactNode {
  const t = useText('repayments')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayDecide = usePermission(decideProof.access)
  const [deciding, setDeciding] = useState<(typeof DECISIONS)[number]['id'] | null>(null)
  const buttons = useRef<HTMLDivElement>(null)
  const decisions = (mayDecide && proof.state === 'pending' ? DECISIONS : []).map((decision) => {
    const refusal = proofRefusal(proof, user.userId, decision.id === 'accept')
    return { ...decision, refusal: refusal === null ? offline : t(refusal) }
  })
  useShortcuts(
    'screen',
    decisions.map(({ id, keys, refusal }) => ({
      id: `proof-${id}`,
      code: `Key${keys}`,
      labelKey: `repayments:proof.${id}`,
      when: () => deciding === null && refusal === null && isTopmost(buttons.current),
      run: () => setDeciding(id),
      inDialog: true,
    })),
  )
  if (deciding === 'accept') return <AcceptForm proof={proof} onRow={onRow} onClose={onClose} />
  if (deciding === 'reject') return <RejectProof proof={proof} onRow={onRow} onClose={onClose} />
  return (
    <ProofDrawer
      proof={proof}
      onClose={onClose}
      {...(decisions.length > 0 && {
        actions: (
          <div className="proof-decisions" ref={buttons}>
            {decisions.map(({ id, refusal, ...look }) => (
              <ActionButton
                key={id}
                {...look}
                text={t(`proof.${id}`)}
                disabledReason={refusal}
                onClick={() => setDeciding(id)}
              />
            ))}
          </div>
        ),
      })}
    />
  )
}
