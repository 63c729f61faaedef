/** The second person decides a request: what it asks for is done as the order stands by then. */
import type { Action } from '../actions.ts'
import type { Order, Payment, Request, Transfer } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { keep } from './payments.ts'
import { resolve, sendAgain } from './payouts.ts'
import { reverse } from './reversals.ts'
import { cure } from './settlements.ts'
import { batchWriteOff } from './write-offs.ts'

export function decideRequest(
  portfolio: Portfolio,
  order: Order,
  { request: index, who, result }: Extract<Action, { kind: 'decideRequest' }>,
): string {
  const request = order.requests[index] as Request
  // A user who neither requested nor may decide it gets "not found".
  if (who === 'customer_service' || (who === 'manager2' && request.kind === 'batchWriteOff'))
    return 'G404'
  if (who === 'manager') return 'G-SELF'
  if (result === 'rejected') {
    request.state = 'rejected'
    return 'ok'
  }
  const refused = carryOut(portfolio, order, request)
  if (refused === null) request.state = 'approved'
  return refused ?? 'ok'
}

/** @returns the refusal, or null */
function carryOut(
  portfolio: Portfolio,
  order: Order,
  { kind, payment, transfer, plan, returned = 0 }: Request,
): string | null {
  switch (kind) {
    case 'redisburse':
      return sendAgain(order)
    case 'batchWriteOff':
      batchWriteOff(portfolio, order)
      return null
    case 'cure':
      return cure(portfolio, order, plan as NonNullable<Request['plan']>)
    case 'transferPaid':
      return resolve(portfolio, order, transfer as Transfer, 'paid')
    case 'transferNotPaid':
      return resolve(portfolio, order, transfer as Transfer, 'notPaid')
    case 'strayReturned':
      ;(transfer as Transfer).stray -= returned
      return null
    case 'paymentStands':
      return keep(payment as Payment)
    case 'reversePayment':
      return reverse(portfolio, order, payment as Payment)
  }
}
