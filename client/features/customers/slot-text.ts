import type { NoContactSlot } from '#shared/customers/no-contact.ts'

/** `Mon, Tue · 13:00–15:00`, in IST. @param text a `t` of the collection namespace */
export function slotText({ days, from, to }: NoContactSlot, text: (key: string) => string): string {
  return `${days.map((day) => text(`collection:weekday.${day}`)).join(', ')} · ${from}–${to}`
}
