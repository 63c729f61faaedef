/**
 * Times without contact that a borrower asked for: stored per customer, enforced by the contact
 * gate.
 */
import Type, { type Static } from 'typebox'

/** ISO weekdays, Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
export const MOST_SLOTS = 7

const clock = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' })
/** On each of `days`, from `from` until `to`, IST, half-open. */
export const NoContactSlot = Type.Object(
  {
    days: Type.Array(Type.Unsafe<number>({ type: 'integer', enum: [...WEEKDAYS] }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
    }),
    from: clock,
    to: clock,
  },
  { additionalProperties: false },
)
export type NoContactSlot = Static<typeof NoContactSlot>

/** Whether the slot ends after it begins; a slot over midnight is stored as two. */
export function isSlotForward({ from, to }: NoContactSlot): boolean {
  return from < to
}
