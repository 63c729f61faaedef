import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { type Bucket, BUCKET_NAMES, BUCKETS, CURVE_LAST } from '#shared/reports/buckets.ts'
import { figuresOf, type Sums } from '#shared/reports/measures.ts'
import { BUCKET_MEASURES, type bucketReport as call } from '#shared/reports/repayment-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { type Cohort, readCohorts } from './cohorts.ts'
import { repaymentFilters } from './repayment-filters.ts'
import { checkDays, daysBefore, freshnessOf } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>

/**
 * A row per bucket, of the due days that can say it: a cohort counts in `T7` when seven days have
 * passed. By day: a row per due day and bucket, with the figures so far where it cannot.
 * @throws Problem G422 for a range that is reversed or too long
 */
export async function bucketReport(db: Db, actor: StaffActor, input: Input): Promise<Answer> {
  checkDays(input)
  const filters = repaymentFilters(actor, input)
  const freshness = await freshnessOf(db)
  const today = istDay(freshness.asOf)
  const [now, then] = await Promise.all([
    readCohorts(db, input, filters),
    readCohorts(db, daysBefore(input), filters),
  ])
  const rowsOf = (cohorts: readonly Cohort[], day: string | null): Answer['rows'] =>
    BUCKET_NAMES.map((bucket) => ({
      bucket,
      day,
      ...figuresOf(
        BUCKET_MEASURES,
        sumOf(cohorts.map((one) => figuresIn(one, bucket, today, day !== null))),
      ),
    }))
  if (input.groupBy === 'day')
    return {
      rows: now.flatMap((one) => rowsOf([one], one.dueDay)),
      previous: [],
      ...freshness,
    }
  return { rows: rowsOf(now, null), previous: rowsOf(then, null), ...freshness }
}

/** Figures of a cohort in a bucket: none while it is incomplete; alone, those so far. */
function figuresIn(cohort: Cohort, bucket: Bucket, today: string, isAlone: boolean): Sums {
  const rule = BUCKETS[bucket]
  const age = daysBetween(cohort.dueDay, today)
  const { plans, amount } = cohort
  if ('day' in rule) {
    if (age <= (isAlone ? 0 : rule.day)) return {}
    const [settled, paid] = [cohort.settledBy(rule.day), cohort.paidBy(rule.day)]
    return {
      cohortPlans: plans,
      cohortAmount: amount,
      overduePlans: plans - settled,
      overdueAmount: amount - paid,
      missedPlans: plans - cohort.settledBy(0),
      missedAmount: amount - cohort.paidBy(0),
      recoveredPlans: settled - cohort.settledBy(0),
      recoveredAmount: paid - cohort.paidBy(0),
    }
  }
  if (age < rule.from || (rule.to !== null && age > rule.to)) return {}
  const before = rule.from - 1
  return {
    cohortPlans: plans,
    cohortAmount: amount,
    overduePlans: cohort.openPlans,
    overdueAmount: cohort.openAmount,
    missedPlans: plans - cohort.settledBy(before),
    missedAmount: amount - cohort.paidBy(before),
    recoveredPlans: cohort.settledBy(CURVE_LAST) - cohort.settledBy(before),
    recoveredAmount: cohort.paidBy(CURVE_LAST) - cohort.paidBy(before),
  }
}

function sumOf(all: readonly Sums[]): Sums {
  const sum: Record<string, number> = {}
  for (const sums of all)
    for (const [name, value] of Object.entries(sums)) sum[name] = (sum[name] ?? 0) + value
  return sum
}
