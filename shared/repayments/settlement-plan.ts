/**
 * The parts in which a bad debt is paid after its cure. What counts as paid is the decrease of the
 * debt: no fines are charged while the plan runs, so the decrease is money. Pure, integer paise and
 * IST days.
 */
import { addDays, daysBetween } from '../kernel/time.ts'

export interface SettlementRow {
  /** IST day. */
  dueTime: string
  /** Paise. */
  amount: number
}

export const SETTLEMENT_STATES = ['current', 'kept', 'broken', 'ended'] as const
export type SettlementState = (typeof SETTLEMENT_STATES)[number]

/** Maximum number of rows of a plan. */
export const MOST_SETTLEMENT_ROWS = 12
/** The last row is due at most this many days after today. */
export const LONGEST_SETTLEMENT_DAYS = 366

export type SettlementFault = 'past' | 'tooFar' | 'notInOrder' | 'notDue'

/**
 * The first error of the rows and its place (null = their sum); null when they can be agreed today.
 * @param due paise the order owes
 */
export function faultOfSettlement(
  rows: readonly SettlementRow[],
  { today, due }: { today: string; due: number },
): { at: number | null; fault: SettlementFault } | null {
  const last = addDays(today, LONGEST_SETTLEMENT_DAYS)
  for (const [at, { dueTime }] of rows.entries()) {
    if (dueTime < today) return { at, fault: 'past' }
    if (dueTime > last) return { at, fault: 'tooFar' }
    // same or earlier than the row before
    if (dueTime <= (rows[at - 1]?.dueTime ?? '')) return { at, fault: 'notInOrder' }
  }
  return sumOfRows(rows) === due ? null : { at: null, fault: 'notDue' }
}

export function sumOfRows(rows: readonly Pick<SettlementRow, 'amount'>[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

/** The earliest row that `paid` paise do not cover; null when they cover all. */
export function openRow(rows: readonly SettlementRow[], paid: number): SettlementRow | null {
  let sum = 0
  return rows.find(({ amount }) => (sum += amount) > paid) ?? null
}

/** IST days since the earliest unpaid row fell due, 0 while none is overdue. */
export function overdueDaysOfSettlement(
  rows: readonly SettlementRow[],
  paid: number,
  day: string,
): number {
  const open = openRow(rows, paid)
  return open === null ? 0 : Math.max(0, daysBetween(open.dueTime, day))
}

/** Whether a row fell due before the day and was not paid: the plan ends. */
export function isSettlementMissed(
  rows: readonly SettlementRow[],
  paid: number,
  day: string,
): boolean {
  return overdueDaysOfSettlement(rows, paid, day) > 0
}

/** Paise of each row covered by `paid`, the earliest first. */
export function paidOfRows(rows: readonly SettlementRow[], paid: number): number[] {
  let left = Math.max(0, paid)
  return rows.map(({ amount }) => {
    const part = Math.min(left, amount)
    left -= part
    return part
  })
}
