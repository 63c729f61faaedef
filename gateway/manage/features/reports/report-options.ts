import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { reportOptions as call } from '#shared/reports/reports-api.ts'
import {
  APP_OPTIONS,
  CHANNEL_OPTIONS,
  PRODUCT_OPTIONS,
} from '#gateway/manage/features/products/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { reviewerNames } from './report-names.ts'
import { seenReviewer } from './review-reports.ts'

export async function reportOptions(db: Db, actor: StaffActor): Promise<DataOf<typeof call>> {
  const { rows } = await sql<Omit<DataOf<typeof call>, 'reviewers'>>`
    select ${APP_OPTIONS} as apps, ${CHANNEL_OPTIONS} as channels,
      ${PRODUCT_OPTIONS} as products,
      (select coalesce(json_agg(json_build_object('id', s.campaign, 'name', s.campaign)
          order by s.campaign), '[]')
        from (select distinct d.campaign from delivery_spend d) s) as campaigns`.execute(db)
  const options = rows[0] as Omit<DataOf<typeof call>, 'reviewers'>
  if (!actor.rights.permissions.has('review_report:view')) return { ...options, reviewers: [] }
  const seen = seenReviewer(actor, undefined)
  const reviewers = [...(await reviewerNames(db))].map(([id, name]) => ({ id, name }))
  return {
    ...options,
    reviewers: reviewers
      .filter(({ id }) => seen === undefined || id === seen)
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}
