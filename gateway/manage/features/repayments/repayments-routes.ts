import type { FastifyInstance } from 'fastify'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveMachine } from '#gateway/manage/kernel/machine.ts'
import { receivePayment } from './receive-payment.ts'
import type { WhenPaid } from './settle-payment.ts'

export interface RepaymentsRoutesOptions {
  /** Runs inside the transaction of a payment that was counted against a loan. */
  whenPaid: readonly WhenPaid[]
}

export function repaymentsRoutes(app: FastifyInstance, house: House, { whenPaid }: RepaymentsRoutesOptions): void {
  serveMachine(app, house, inboundPayment, (cx, input) => receivePayment(cx, input, whenPaid))
}
