/** Charges at the end of a stop of fines, by instalment. */
import { istMidnight } from '#shared/kernel/time.ts'
import type { Loan } from '../loan-store.ts'
import { historyOf, type StoredHistory } from './read-history.ts'
import { chargesOf } from './refold.ts'

/** @returns null when the ledger does not follow from the history */
export type Charges = ReadonlyMap<string, number> | null

/**
 * @param stored the history with the ended reduction
 * @param today IST day it is charged on
 */
export function chargesOfReduction(
  loan: Loan,
  stored: StoredHistory,
  reduceId: string,
  today: string,
): Charges {
  const before = {
    ...stored,
    reductions: stored.reductions.map((reduction) =>
      reduction.id === reduceId ? { ...reduction, endedAt: null, cause: null } : reduction,
    ),
  }
  const histories = { before: historyOf(before), ended: historyOf(stored) }
  return chargesOf(loan, stored.terms, histories, today)
}

/**
 * For the opening of a day: a reduction whose validity ended the day before, or a settlement plan
 * that ends because a row was missed.
 */
export function chargesOfDay(
  loan: Loan,
  stored: StoredHistory,
  { day, isPlanOver }: { day: string; isPlanOver: boolean },
): Charges {
  const ended = isPlanOver ? withoutPlan(stored, day) : stored
  const histories = { before: historyOf(stored), ended: historyOf(ended) }
  return chargesOf(loan, stored.terms, histories, day)
}

/** The history with the settlement plan ended at the beginning of the day. */
export function withoutPlan(stored: StoredHistory, day: string): StoredHistory {
  const begins = istMidnight(day).toISOString()
  return {
    ...stored,
    settlements: stored.settlements.map((one) => ({ ...one, endedAt: one.endedAt ?? begins })),
  }
}
