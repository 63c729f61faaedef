/** Where the product is in a history, and what is looked up before an action. */
import { sql } from 'kysely'
import type { Product } from './product.ts'
import type { Known } from './stored-orders.ts'

export interface SiteState {
  readonly product: Product
  today: number
  /** Newest order of each borrower, and what a screen knows of it. */
  orders: (string | null)[]
  known: (Known | null)[]
  /** Borrowers of earlier histories, and payments of all. */
  people: number
  payments: number
  /** Made at the bank by hand. */
  transfers: number
}

export const REASON = 'As the model says'

export async function customerOf({ database }: Product, orderId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select o.customer_id as id from loan_order o where o.id = ${orderId}`.execute(database.kysely)
  return rows[0]?.id ?? ''
}

export async function recordOf(
  { database }: Product,
  payment: number,
): Promise<{ id: string; version: number; amount: number }> {
  const { rows } = await sql<{ id: string; version: number; amount: number }>`
    select r.id, r.version, r.amount from repay_record r
    where r.vendor_order_no = ${vendorNoOf(payment)} or r.utr = ${utrOf(payment)}
    order by r.id desc limit 1`.execute(database.kysely)
  return rows[0] ?? { id: 'R0', version: 1, amount: 0 }
}

export function vendorNoOf(payment: number): string {
  return `V-${payment}`
}

export function utrOf(payment: number): string {
  return String(300_000_000_000 + payment)
}

/** Moment of a payment: late on the day, after all its actions; null = now. */
export async function paidAt({ database, dayOf }: Product, day: number | null): Promise<string> {
  if (day !== null) return new Date(`${dayOf(day)}T23:00:00+05:30`).toISOString()
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(
    database.kysely,
  )
  return new Date((rows[0] as { now: string }).now).toISOString()
}
