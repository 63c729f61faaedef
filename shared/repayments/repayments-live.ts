import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

/**
 * A payment was reported, confirmed, failed or reversed. Without an order: a parked one. `source`
 * shows a list what else changed: a pending write-off is a payment.
 */
export const REPAYMENT_CHANGED = liveEvent(
  'repayment.changed',
  Type.Object({
    recordId: id,
    orderId: maybe,
    planId: maybe,
    amount: Type.Integer(),
    payState: id,
    reversed: Type.Boolean(),
    channel: Type.Integer(),
    source: id,
  }),
)

/** Launched, decided, used, lapsed, or void after a reversal. */
export const REDUCTION_CHANGED = liveEvent(
  'reduction.changed',
  Type.Object({
    reduceId: id,
    orderId: id,
    state: id,
    cause: maybe,
    reduceAmount: Type.Integer(),
    validUntil: maybe,
  }),
)

/** A payment proof was submitted or decided. */
export const PROOF_CHANGED = liveEvent(
  'proof.changed',
  Type.Object({ proofId: id, orderId: id, state: id }),
)

/** An account was written off. */
export const WRITEOFF_DONE = liveEvent(
  'writeoff.done',
  Type.Object({ writeOffId: id, orderId: id, type: id, amount: Type.Integer() }),
)
