/** Opens the form for one row of the order list; the order page uses the same form. */
import type { ReactNode } from 'react'
import { CureForm, RepaymentForm } from '#client/features/repayments/public.tsx'
import { RemarkOrder } from '../RemarkOrder.tsx'

export interface OrderFormRequest {
  what: 'remark' | 'coolingOff' | 'cure'
  orderId: string
}

export function OrderForm({
  request: { what, orderId },
  onClose,
}: {
  request: OrderFormRequest
  onClose: () => void
}): ReactNode {
  if (what === 'remark') return <RemarkOrder orderId={orderId} onClose={onClose} />
  return what === 'cure' ? (
    <CureForm orderId={orderId} onClose={onClose} />
  ) : (
    <RepaymentForm orderId={orderId} type="coolingOff" onClose={onClose} />
  )
}
