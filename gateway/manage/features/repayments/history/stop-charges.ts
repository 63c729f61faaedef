/** Charges at the end of a stop of fines, by instalment. */
import { istMidnight } from '#shared/kernel/time.ts'
import type { Loan } from '../loan-store.ts'
import { historyOf, type ToldLoan } from './read-history.ts'
import { chargesOf } from './refold.ts'

/** @returns null when the ledger does not follow from the history */
export type Charges = ReadonlyMap<string, number> | null

/**
 * @param told the history with the ended reduction
 * @param today IST day it is charged on
 */
export function chargesOfReduction(
  loan: Loan,
  told: ToldLoan,
  reduceId: string,
  today: string,
): Charges {
  const before = {
    ...told,
    reductions: told.reductions.map((reduction) =>
      reduction.id === reduceId ? { ...reduction, endedAt: null, cause: null } : reduction,
    ),
  }
  const histories = { before: historyOf(before), ended: historyOf(told) }
  return chargesOf(loan, told.terms, histories, today)
}

/**
 * For the opening of a day: a reduction whose validity ended the day before, or a settlement plan
 * that ends because a row was missed.
 */
export function chargesOfDay(
  loan: Loan,
  told: ToldLoan,
  { day, isPlanOver }: { day: string; isPlanOver: boolean },
): Charges {
  const ended = isPlanOver ? withoutPlan(told, day) : told
  const histories = { before: historyOf(told), ended: historyOf(ended) }
  return chargesOf(loan, told.terms, histories, day)
}

/** The history with the settlement plan ended at the beginning of the day. */
export function withoutPlan(told: ToldLoan, day: string): ToldLoan {
  const begins = istMidnight(day).toISOString()
  return {
    ...told,
    settlements: told.settlements.map((one) => ({ ...one, endedAt: one.endedAt ?? begins })),
  }
}
