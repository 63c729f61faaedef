import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()

/**
 * Staff or the customer changed the data, or a loan was repaid; `fields` are names, never values.
 */
export const CUSTOMER_CHANGED = liveEvent(
  'customer.changed',
  Type.Object({ userId: id, fields: Type.Array(id) }),
)
/** An entry of the blacklist began (`listed`) or ended. */
export const BLACKLIST_CHANGED = liveEvent(
  'blacklist.changed',
  Type.Object({ userId: id, listed: Type.Boolean(), source: id }),
)
