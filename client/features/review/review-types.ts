import type { Static } from 'typebox'
import type { CustomerSections as CustomerSectionsSchema } from '#shared/customers/customer-sections.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type {
  listReviews,
  REVIEW_TABS,
  reviewColleagues,
  reviewDetail,
  ReviewRow as ReviewRowSchema,
} from '#shared/review/review-api.ts'

export type ReviewRow = Static<typeof ReviewRowSchema>
export type ReviewDetail = DataOf<typeof reviewDetail>
export type ReviewTab = (typeof REVIEW_TABS)[number]
export type ReviewPage = DataOf<typeof listReviews>
export type ReviewCounts = ReviewPage['counts']
export type QueueStats = ReviewPage['stats']
export type Colleague = DataOf<typeof reviewColleagues>[number]
export type CustomerSections = Static<typeof CustomerSectionsSchema>

/** The user's permissions and the rows they see. */
export interface Viewer {
  userId: string
  /** Permission codes of the page, e.g. `review_list:claim`. */
  codes: readonly string[]
  /** Leaders see all rows, reviewers the queue and their own, inspectors decided ones. */
  sees: 'all' | 'own' | 'decided'
}

export function can(viewer: Viewer, action: string): boolean {
  return viewer.codes.includes(`review_list:${action}`)
}
