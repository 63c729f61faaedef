/** What other features may use of repayments. */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import './repayments.css'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit, usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
export { CureForm, LinkForm, ProofForm, ReduceForm, RepaymentForm } from './lazy-forms.ts'
import { sendLink } from '#shared/repayments/links-api.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { addRecord } from '#shared/repayments/repayments-api.ts'
import { bookRefusal, reduceRefusal, sendProofRefusal } from './forms/payment-rules.ts'
import { LinkForm, ProofForm, ReduceForm, RepaymentForm } from './lazy-forms.ts'
import { planPath } from '#shared/repayments/plan-path.ts'
export { PlanKindTag } from './list/PlanKindTag.tsx'
export { proofPath, recordPath } from './payment-words.ts'

/** Link to the detail of an instalment, for users who may open it. */
export function PlanLink({ planId, children }: { planId: string; children: ReactNode }): ReactNode {
  const { menu } = usePage()
  const { index } = useSession()
  if (!index.byName.has('repay_plan')) return <span title={planId}>{children}</span>
  return (
    <Link className="money-link" href={planPath(planId, menu ?? 'repay_plan')} title={planId}>
      {children}
    </Link>
  )
}

/** Books a payment for an order, where the page grants it. */
export function AddRepayment({
  orderId,
  status,
  onDone,
}: {
  orderId: string
  status: number
  onDone?: () => void
}): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  const refused = bookRefusal(status)
  return (
    <Permit codes={addRecord.access}>
      <ActionButton
        variant="minimal"
        icon="plus"
        text={t('action.add')}
        disabledReason={refused === null ? offline : t(refused)}
        onClick={() => setOpen(true)}
      />
      {open ? (
        <RepaymentForm
          orderId={orderId}
          {...(onDone ? { onDone } : {})}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Permit>
  )
}

/** Requests a reduction of the fines and fees of an overdue order, where the page grants it. */
export function LaunchReduction({
  orderId,
  status,
  onDone,
}: {
  orderId: string
  status: number
  onDone?: () => void
}): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  const refused = reduceRefusal(status)
  return (
    <Permit codes={launchReduction.access}>
      <ActionButton
        variant="minimal"
        icon="arrow-down"
        text={t('action.reduce')}
        disabledReason={refused === null ? offline : t(refused)}
        onClick={() => setOpen(true)}
      />
      {open ? (
        <ReduceForm
          orderId={orderId}
          {...(onDone ? { onDone } : {})}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Permit>
  )
}

/**
 * Submits a receipt for an order, where the page grants it.
 * @param status not known where only the case is open
 */
export function AddProof({
  orderId,
  status,
  onDone,
}: {
  orderId: string
  status?: number
  onDone?: () => void
}): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  const refused = status === undefined ? null : sendProofRefusal(status)
  return (
    <Permit codes={addProof.access}>
      <ActionButton
        variant="minimal"
        icon="upload"
        text={t('proof.add')}
        disabledReason={refused === null ? offline : t(refused)}
        onClick={() => setOpen(true)}
      />
      {open ? (
        <ProofForm
          orderId={orderId}
          {...(onDone ? { onDone } : {})}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Permit>
  )
}

/**
 * Sends the borrower a link to pay an instalment, where the page grants it.
 * @param refused why it cannot be sent now, as text
 */
export function SendLink({
  planId,
  due,
  refused = null,
  onDone,
}: {
  planId: string | null
  due: number
  refused?: string | null
  onDone?: () => void
}): ReactNode {
  const t = useText('repayments')
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  return (
    <Permit codes={sendLink.access}>
      <ActionButton
        variant="minimal"
        icon="link"
        text={t('link.send')}
        disabledReason={
          planId === null || due === 0 ? t('refused.nothingDue') : (offline ?? refused)
        }
        onClick={() => setOpen(true)}
      />
      {open && planId !== null ? (
        <LinkForm
          planId={planId}
          due={due}
          {...(onDone ? { onDone } : {})}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Permit>
  )
}

/**
 * A reduction, a write-off, the cure of a bad debt and the cooling-off exit: those the page grants.
 */
export const SettleMenu = lazyPart(() =>
  import('./SettleMenu.tsx').then((m) => ({ default: m.SettleMenu })),
)

/** Payments of an order, for users who may see payments. */
export const OrderPayments = lazyPart(() =>
  import('./order/OrderPayments.tsx').then((m) => ({ default: m.OrderPayments })),
)

/** Reductions and write-offs of an order, for users who may see one of their lists. */
export const OrderGivenUp = lazyPart(() =>
  import('./order/OrderGivenUp.tsx').then((m) => ({ default: m.OrderGivenUp })),
)

/** Whether the user may see proofs at all. */
export function useSeesProofs(): boolean {
  return useSession().index.byName.has('repay_proof')
}

/** The parts in which a cured bad debt is paid. */
export const SettlementTable = lazyPart(() =>
  import('./settlement/SettlementTable.tsx').then((m) => ({ default: m.SettlementTable })),
)

/** The proofs of the ledger, for users who may read the operation log. */
export const LedgerBooks = lazyPart(() =>
  import('./ledger/LedgerBooks.tsx').then((m) => ({ default: m.LedgerBooks })),
)

/** Payment proofs of an order, for users who may see proofs. */
export const OrderProofs = lazyPart(() =>
  import('./proofs/OrderProofs.tsx').then((m) => ({ default: m.OrderProofs })),
)
