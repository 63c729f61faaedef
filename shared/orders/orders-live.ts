import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

export const ORDER_CREATED = liveEvent(
  'order.created',
  Type.Object({
    orderId: id,
    userId: id,
    status: Type.Integer(),
    tags: Type.Array(id),
    amount: Type.Integer(),
  }),
)
export const ORDER_UPDATED = liveEvent(
  'order.updated',
  Type.Object({ orderId: id, fields: Type.Array(id) }),
)
export const ORDER_STATUS_CHANGED = liveEvent(
  'order.status.changed',
  Type.Object({
    orderId: id,
    userId: id,
    from: Type.Integer(),
    to: Type.Integer(),
    tags: Type.Array(id),
    outstanding: Type.Integer(),
    closeType: id,
    closeTime: maybe,
    dueTime: maybe,
    disburseTime: maybe,
    failReason: maybe,
    cause: id,
  }),
)
export const PAYOUT_CHANGED = liveEvent(
  'payout.changed',
  Type.Object({
    transferId: id,
    orderId: id,
    payState: id,
    attemptNo: Type.Integer(),
    failReason: maybe,
    handlingMethod: maybe,
  }),
)
export const PLAN_CHANGED = liveEvent(
  'plan.changed',
  Type.Object({
    planId: id,
    orderId: id,
    paymentStatus: id,
    outstanding: Type.Integer(),
    overdueDays: Type.Integer(),
  }),
)
