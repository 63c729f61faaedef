import type { NoContactSlot } from '#shared/customers/no-contact.ts'

/** `Mon, Tue · 13:00–15:00`, India time. @param say a `t` that reads the words of collection */
export function slotText({ days, from, to }: NoContactSlot, say: (key: string) => string): string {
  return `${days.map((day) => say(`collection:weekday.${day}`)).join(', ')} · ${from}–${to}`
}
