/** Due days with their repayment curves, for the reports that follow a cohort day by day. */
import { sql } from 'kysely'
import { CURVE_FIRST, CURVE_LAST } from '#shared/reports/buckets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byDay, type Range, type Source, sumsOf, total } from './report-parts.ts'

/** Amounts are paise of principal, interest and service fee. */
export interface Cohort {
  dueDay: string
  plans: number
  amount: number
  openPlans: number
  openAmount: number
  /** Instalments settled, and amount paid, by the end of the day so many days after the due day. */
  settledBy(days: number): number
  paidBy(days: number): number
}

/** One per due day of the range that has instalments, the earliest first. */
export async function readCohorts(
  db: Db,
  range: Range,
  filters: Source['filters'],
): Promise<Cohort[]> {
  const [due, curve] = await Promise.all([
    sumsOf(
      db,
      range,
      {
        table: 'report_cohort',
        day: 'due_day',
        sums: {
          plans: total('plans'),
          amount: total('due_amount'),
          openPlans: total('open_plans'),
          openAmount: total('open_amount'),
        },
        filters,
      },
      byDay,
    ),
    sumsOf(
      db,
      range,
      {
        table: 'report_curve',
        day: 'due_day',
        sums: { settled: total('settled'), paid: total('paid') },
        filters,
      },
      (day) => sql`${day}::text || ' ' || t.at_day`,
    ),
  ])
  return [...due.groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([dueDay, { plans = 0, amount = 0, openPlans = 0, openAmount = 0 }]) => {
      const upTo = (name: 'settled' | 'paid') => (days: number) => {
        let sum = 0
        for (let at = CURVE_FIRST; at <= Math.min(days, CURVE_LAST); at += 1)
          sum += curve.groups.get(`${dueDay} ${at}`)?.[name] ?? 0
        return sum
      }
      return {
        dueDay,
        plans,
        amount,
        openPlans,
        openAmount,
        settledBy: upTo('settled'),
        paidBy: upTo('paid'),
      }
    })
}
