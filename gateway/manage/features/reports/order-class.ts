/** The class of the customer when the order was made: who had settled a loan before is old. */
import { type RawBuilder, sql } from 'kysely'

type CustomerClass = 'new' | 'old'

/** Of a rollup by tag as `t`. */
export const ORDER_CLASS: RawBuilder<unknown> = sql`
  case when t.tag = 'firstLoan' then 'new' else 'old' end`

/** Tags of the orders of a class, for a filter; undefined for all. */
export function tagsOf(customerClass: CustomerClass | undefined): string | undefined {
  if (customerClass === undefined) return undefined
  return customerClass === 'new' ? 'firstLoan' : 'reLoan,extension'
}

export function classOf(key: string): CustomerClass {
  return key === 'new' ? 'new' : 'old'
}
