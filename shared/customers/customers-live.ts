import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()

/** What a person corrected about a customer, he sent himself, or a loan he paid back changed; `fields` are names, never values. */
export const CUSTOMER_CHANGED = liveEvent(
  'customer.changed',
  Type.Object({ userId: id, fields: Type.Array(id) }),
)
/** An entry of the blacklist began (`listed`) or ended. */
export const BLACKLIST_CHANGED = liveEvent(
  'blacklist.changed',
  Type.Object({ userId: id, listed: Type.Boolean(), source: id }),
)
