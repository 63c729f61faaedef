/** Reports of the review, from what reviewers did on each day. A reviewer sees the own line. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { figuresOf, MEASURES, type Sums } from '#shared/reports/measures.ts'
import {
  HOUR_MEASURES,
  type hourReport as hourCall,
  QUALITY_MEASURES,
  type qualityReport as qualityCall,
  REASON_MEASURES,
  type reasonReport as reasonCall,
  REVIEW_MEASURES,
  type reviewReport as reviewCall,
} from '#shared/reports/review-report-api.ts'
import { REJECT_CODES } from '#shared/review/reject-reasons.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { reviewerNames } from './report-names.ts'
import {
  checkDays,
  daysBefore,
  type Range,
  type Source,
  freshnessOf,
  sumsOf,
  total,
} from './report-parts.ts'
import { NOTHING } from './unit-filter.ts'

interface Keys {
  day: string | null
  reviewerId: string | null
  reviewerName: string | null
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function reviewReport(
  db: Db,
  actor: StaffActor,
  { groupBy = 'reviewer', reviewerId, ...range }: InputOf<typeof reviewCall>,
): Promise<DataOf<typeof reviewCall>> {
  const filters = { reviewer_id: seenReviewer(actor, reviewerId) }
  return groupedReport(db, range, {
    measures: REVIEW_MEASURES,
    rank: 'decidedReviews',
    grouping: await groupingOf(db, groupBy),
    sources: () => [workOf(filters)],
  })
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function qualityReport(
  db: Db,
  actor: StaffActor,
  { groupBy = 'reviewer', reviewerId, ...range }: InputOf<typeof qualityCall>,
): Promise<DataOf<typeof qualityCall>> {
  const filters = { reviewer_id: seenReviewer(actor, reviewerId) }
  return groupedReport(db, range, {
    measures: QUALITY_MEASURES,
    rank: 'checkedReviews',
    grouping: await groupingOf(db, groupBy),
    complete: (sums) => ({
      ...sums,
      passedDue: sums.passedDueDone ?? 0,
      passedUnpaid: sums.passedUnpaidDone ?? 0,
    }),
    sources: (today) => [workOf(filters), passedOf(today, filters)],
  })
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function reasonReport(
  db: Db,
  actor: StaffActor,
  { reviewerId, ...range }: InputOf<typeof reasonCall>,
): Promise<DataOf<typeof reasonCall>> {
  checkDays(range)
  const source: Source = {
    table: 'report_reject_day',
    day: 'day',
    sums: { rejections: total('rejections') },
    filters: { reviewer_id: seenReviewer(actor, reviewerId) },
  }
  const read = async (days: Range) => {
    const { groups, all } = await sumsOf(db, days, source, () => sql`t.code`)
    const withShare = (sums: Sums): Sums => ({ ...sums, allRejections: all.rejections ?? 0 })
    const rows = REJECT_CODES.flatMap((code) => {
      const sums = groups.get(code)
      return sums === undefined ? [] : [{ code, ...figuresOf(REASON_MEASURES, withShare(sums)) }]
    })
    return {
      rows: rows.toSorted((a, b) => (b.rejections ?? 0) - (a.rejections ?? 0)),
      sum: figuresOf(REASON_MEASURES, withShare(all)),
    }
  }
  const [freshness, now, then] = await Promise.all([
    freshnessOf(db),
    read(range),
    read(daysBefore(range)),
  ])
  return { rows: now.rows, previous: then.rows, sum: now.sum, ...freshness }
}

/**
 * What comes in belongs to nobody, so everybody sees it.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function hourReport(
  db: Db,
  actor: StaffActor,
  { reviewerId, ...range }: InputOf<typeof hourCall>,
): Promise<DataOf<typeof hourCall>> {
  checkDays(range)
  const seen = seenReviewer(actor, reviewerId)
  const isSeen = sql<boolean>`t.reviewer_id = ${seen ?? ''}`
  const source: Source = {
    table: 'report_review_hour',
    day: 'day',
    sums: {
      queuedReviews: total('queued'),
      decidedReviews: total('decided', isSeen),
      longestWait: sql`coalesce(max(t.longest_wait) filter (where ${isSeen}), 0)`,
    },
    // the empty one is all of them, and what came in
    filters: { reviewer_id: seen === undefined ? '' : `,${seen}` },
  }
  const read = async (days: Range) => {
    const { groups, all } = await sumsOf(db, days, source, () => sql`t.hour`)
    return {
      rows: Array.from({ length: 24 }, (_, hour) => ({
        hour,
        ...figuresOf(HOUR_MEASURES, groups.get(String(hour)) ?? {}),
      })),
      sum: figuresOf(HOUR_MEASURES, all),
    }
  }
  const [freshness, now, then] = await Promise.all([
    freshnessOf(db),
    read(range),
    read(daysBefore(range)),
  ])
  return { rows: now.rows, previous: then.rows, sum: now.sum, ...freshness }
}

/** Who decides reviews without checking those of others sees the own line. */
export function seenReviewer(actor: StaffActor, wanted: string | undefined): string | undefined {
  const { scope, permissions } = actor.rights
  if (scope === 'all' || permissions.has('review_list:quality')) return wanted
  return wanted === undefined || wanted === actor.userId ? actor.userId : NOTHING
}

function workOf(filters: Source['filters']): Source {
  return {
    table: 'report_review_day',
    day: 'day',
    sums: {
      claimedReviews: total('claimed'),
      decidedReviews: total('decided'),
      passedReviews: total('passed'),
      timedReviews: total('timed'),
      reviewSeconds: total('seconds'),
      expiredLeases: total('expired'),
      askedHandovers: total('handovers'),
      askedCustomers: total('asked'),
      checkedReviews: total('checked'),
      qualityPassed: total('quality_passed'),
      wrongRejections: total('wrong_rejections'),
      wrongPasses: total('wrong_passes'),
      otherMistakes: total('other_mistakes'),
    },
    filters,
  }
}

function passedOf(today: string, filters: Source['filters']): Source {
  const isDone = sql<boolean>`
    t.due_day + ${sql.lit(MEASURES.passedOverdueRate.age)} < ${today}::date`
  return {
    table: 'report_due_reviewer',
    day: 'due_day',
    sums: {
      passedDue: total('passed_due'),
      passedUnpaid: total('passed_unpaid'),
      passedDueDone: total('passed_due', isDone),
      passedUnpaidDone: total('passed_unpaid', isDone),
    },
    filters,
  }
}

async function groupingOf(db: Db, groupBy: 'reviewer' | 'day'): Promise<Grouping<Keys>> {
  if (groupBy === 'day')
    return byGrain('day', (day) => ({ day, reviewerId: null, reviewerName: null }))
  const names = await reviewerNames(db)
  return byColumn('reviewer_id', (id) => ({
    day: null,
    reviewerId: id,
    reviewerName: names.get(id) ?? id,
  }))
}
