/**
 * The parts in which a bad debt is paid after its cure (domain.md 3, CURE). What counts as paid is what the debt fell by: while the
 * plan runs fines stand still, so that is money. Pure, integer paise and IST days.
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

/** Most rows of a plan (api.md 8). */
export const MOST_SETTLEMENT_ROWS = 12
/** Days after today on which the last row falls due at the latest. */
export const LONGEST_SETTLEMENT_DAYS = 366

export type SettlementFault = 'past' | 'tooFar' | 'notInOrder' | 'notDue'

/** What is wrong with the rows, and where (null = with their sum); null when they can be agreed today. @param due paise the order owes */
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

/** The earliest row that `paid` paise do not reach; null when they reach all. */
export function openRow(rows: readonly SettlementRow[], paid: number): SettlementRow | null {
  let sum = 0
  return rows.find(({ amount }) => (sum += amount) > paid) ?? null
}

/** IST days since the earliest row that was not paid fell due, 0 while none is overdue. */
export function overdueDaysOfSettlement(
  rows: readonly SettlementRow[],
  paid: number,
  day: string,
): number {
  const open = openRow(rows, paid)
  return open === null ? 0 : Math.max(0, daysBetween(open.dueTime, day))
}

/** Whether a row fell due before the day and was not paid: the plan is over (domain.md 3). */
export function isSettlementMissed(
  rows: readonly SettlementRow[],
  paid: number,
  day: string,
): boolean {
  return overdueDaysOfSettlement(rows, paid, day) > 0
}

/** Paise of each row that `paid` paise reach, the earliest first. */
export function paidOfRows(rows: readonly SettlementRow[], paid: number): number[] {
  let left = Math.max(0, paid)
  return rows.map(({ amount }) => {
    const part = Math.min(left, amount)
    left -= part
    return part
  })
}
