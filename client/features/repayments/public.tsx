/** What other features may use of repayments. */
import './repayments.css'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit, usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { bookRefusal, reduceRefusal } from './forms/payment-rules.ts'
import { planPath } from './payment-words.ts'
import { useSay } from './use-say.ts'

// brings the form library
const ReduceForm = lazy(() => import('./reductions/ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })))
const RepaymentForm = lazy(() => import('./forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })))

/** To the detail of an instalment, for those who may open it. */
export function PlanLink({ planId, children }: { planId: string; children: ReactNode }): ReactNode {
  const { menu } = usePage()
  const { index } = useSession()
  if (!index.byName.has('repay_plan')) return <span title={planId}>{children}</span>
  return <Link className="money-link" href={planPath(planId, menu ?? 'repay_plan')} title={planId}>{children}</Link>
}

/** Books a payment for an order, where the page grants it. */
export function AddRepayment({ orderId, status, onDone }: { orderId: string; status: number; onDone?: () => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  const refused = bookRefusal(status)
  return (
    <Permit codes={['repay_record:add']}>
      <ActionButton icon="plus" text={t('action.add')} disabledReason={refused === null ? offline : t(refused)} onClick={() => setOpen(true)} />
      <Suspense fallback={null}>{open ? <RepaymentForm orderId={orderId} {...(onDone ? { onDone } : {})} onClose={() => setOpen(false)} /> : null}</Suspense>
    </Permit>
  )
}

/** Asks to give up fines and fees of an overdue order, where the page grants it. */
export function LaunchReduction({ orderId, status, onDone }: { orderId: string; status: number; onDone?: () => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const [open, setOpen] = useState(false)
  const refused = reduceRefusal(status)
  return (
    <Permit codes={['reduce_list:launch', 'pedding_list:reduce']}>
      <ActionButton variant="minimal" icon="arrow-down" text={t('action.reduce')} disabledReason={refused === null ? offline : t(refused)} onClick={() => setOpen(true)} />
      <Suspense fallback={null}>{open ? <ReduceForm orderId={orderId} {...(onDone ? { onDone } : {})} onClose={() => setOpen(false)} /> : null}</Suspense>
    </Permit>
  )
}
