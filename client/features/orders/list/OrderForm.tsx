/** What is asked of one row of the order list, in the form that asks it on the order's own page, too. */
import type { ReactNode } from 'react'
import { CureForm, RepaymentForm } from '#client/features/repayments/public.tsx'
import { RemarkOrder } from '../RemarkOrder.tsx'

export interface AskedOfOrder {
  what: 'remark' | 'coolingOff' | 'cure'
  orderId: string
}

export function OrderForm({
  asked: { what, orderId },
  onClose,
}: {
  asked: AskedOfOrder
  onClose: () => void
}): ReactNode {
  if (what === 'remark') return <RemarkOrder orderId={orderId} onClose={onClose} />
  return what === 'cure' ? (
    <CureForm orderId={orderId} onClose={onClose} />
  ) : (
    <RepaymentForm orderId={orderId} type="coolingOff" onClose={onClose} />
  )
}
