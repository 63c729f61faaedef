/** Ids that rows of a book are given as they are written. */
import type { Payment, Plan } from './life.ts'

export interface OrderIds {
  orderId: string
  customerId: string
  channelId: string
  fromOrderId: string | null
}
export interface Numbers {
  plan: number
  transfer: number
  record: number
  txn: number
}

/** Ids given on the way, by which postings find plans and payments. */
export interface GivenIds {
  plans: Map<Plan, string>
  payments: Map<Payment, string>
}
