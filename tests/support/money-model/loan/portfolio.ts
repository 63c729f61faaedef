/** State of one history: the open day, the borrowers, and how much has happened. */
import { BORROWERS, PENALTIES } from '../actions.ts'
import type { Borrower, Moment } from './loan.ts'

export interface Portfolio {
  today: number
  readonly borrowers: readonly Borrower[]
  /** Payments so far, those of earlier histories included: the number of the next one. */
  payments: number
  /** Actions so far: the order of what is done on a day. */
  actions: number
}

/** @param payments of earlier histories: their numbers are taken */
export function newPortfolio(today: number, payments: number): Portfolio {
  const borrowers = Array.from({ length: BORROWERS }, (_, n) => ({
    order: null,
    penalty: PENALTIES[n] ?? PENALTIES[0],
    isBlacklisted: false,
    grants: [],
    barredUntil: 0,
  }))
  return { today, borrowers, payments, actions: 0 }
}

export function nowOf({ today, actions }: Portfolio): Moment {
  return [today, actions]
}
