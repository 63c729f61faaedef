/** Requests that wait for a second person. */
import type { Order, Payment, Request } from './loan.ts'

/** To keep a payment and to reverse it exclude each other. */
const EXCLUDED: Partial<Record<Request['kind'], Request['kind']>> = {
  paymentStands: 'reversePayment',
  reversePayment: 'paymentStands',
}

/** One request of a kind about one thing at a time; a batch may be requested again. */
export function addRequest(
  order: Order,
  kind: Request['kind'],
  payment: Payment | null,
  more: Pick<Request, 'transfer' | 'plan' | 'returned'> = {},
): string {
  const isSame = (one: Request) =>
    (one.kind === kind || one.kind === EXCLUDED[kind]) &&
    one.payment === payment &&
    one.transfer === more.transfer
  if (
    kind !== 'batchWriteOff' &&
    order.requests.some((one) => isSame(one) && one.state === 'pending')
  )
    return 'A-OPEN'
  order.requests.push({ kind, payment, ...more, state: 'pending' })
  return 'ok'
}
