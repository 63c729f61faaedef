/** Filters that the lists of instalments, payments, proofs, reductions and write-offs have in common. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { FilterOption } from '#client/ui/filter/filter-text.ts'
import { codeWord } from '../payment-words.ts'

export const ORDER_ID = { kind: 'text', label: 'col.orderId', place: 'quick' } as const
export const BORROWER = { kind: 'text', label: 'col.userName', place: 'bar' } as const

/** A closed set; a code without a text is shown as it is. */
export function codes(
  set: string,
  values: readonly (string | number)[],
): (context: ListContext) => FilterOption[] {
  return ({ t }) =>
    values.map((value) => ({ value: String(value), label: codeWord(set, value, t) }))
}

const UTR = /^[A-Za-z0-9]{4,22}$/

/** Whether a UTR that was typed can be one: it has letters and digits only. */
export function isUtr(text: unknown): boolean {
  return typeof text === 'string' && UTR.test(text)
}
