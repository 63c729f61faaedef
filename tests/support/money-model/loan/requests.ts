/** Requests that wait for a second person. */
import type { Order, Payment, Request } from './loan.ts'

/** One request of a kind about one thing at a time; a batch may be requested again. */
export function addRequest(
  order: Order,
  kind: Request['kind'],
  payment: Payment | null,
  more: Pick<Request, 'transfer' | 'plan' | 'returned'> = {},
): string {
  const isSame = (one: Request) =>
    one.kind === kind && one.payment === payment && one.transfer === more.transfer
  if (
    kind !== 'batchWriteOff' &&
    order.requests.some((one) => isSame(one) && one.state === 'pending')
  )
    return 'A-OPEN'
  order.requests.push({ kind, payment, ...more, state: 'pending' })
  return 'ok'
}
