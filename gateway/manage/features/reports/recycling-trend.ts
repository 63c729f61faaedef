import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { grainStart } from '#shared/kernel/grain.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { CURVE_FIRST, CURVE_LAST } from '#shared/reports/buckets.ts'
import { figuresOf } from '#shared/reports/measures.ts'
import { RECYCLING_MEASURES, type recyclingTrend as call } from '#shared/reports/repayment-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { type Cohort, readCohorts } from './cohorts.ts'
import { repaymentFilters } from './repayment-filters.ts'
import { checkDays, freshnessOf } from './report-parts.ts'

type Answer = DataOf<typeof call>

/**
 * A curve per group of due days, and one of all: a point has a figure when all its due days are
 * that old.
 * @throws Problem G422 for a range that is reversed or too long
 */
export async function recyclingTrend(
  db: Db,
  actor: StaffActor,
  { grain = 'week', ...input }: InputOf<typeof call>,
): Promise<Answer> {
  checkDays(input)
  const freshness = await freshnessOf(db)
  const today = istDay(freshness.asOf)
  const cohorts = await readCohorts(db, input, repaymentFilters(actor, input))
  const groups = new Map<string, Cohort[]>()
  for (const one of cohorts) {
    const start = grainStart(one.dueDay, grain)
    groups.set(start, [...(groups.get(start) ?? []), one])
  }
  const offsets = Array.from(
    { length: CURVE_LAST - CURVE_FIRST - 1 },
    (_, n) => CURVE_FIRST + 1 + n,
  )
  const pointsOf = (cohort: string, days: readonly Cohort[]): Answer['rows'] =>
    offsets.map((at) => {
      const old = days.filter(({ dueDay }) => daysBetween(dueDay, today) > at)
      // a curve ends with its youngest day; that of all continues with those that are old enough
      const counted = cohort === 'all' || old.length === days.length ? old : []
      return {
        at,
        cohort,
        ...figuresOf(RECYCLING_MEASURES, {
          repaidAmount: counted.reduce((sum, one) => sum + one.paidBy(at), 0),
          cohortAmount: counted.reduce((sum, one) => sum + one.amount, 0),
        }),
      }
    })
  return {
    rows: [...groups]
      .flatMap(([start, days]) => pointsOf(start, days))
      .concat(pointsOf('all', cohorts)),
    ...freshness,
  }
}
