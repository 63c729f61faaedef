import { sql } from 'kysely'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { reviewsInScope } from './review-scope.ts'
import { QUEUE_ROOM } from './review-events.ts'

/**
 * Queue events go to everyone with the review menu; events of one review to those who may see it
 * now.
 */
export const REVIEW_AUDIENCE: Audience = {
  rooms: (actor) => (actor.rights.permissions.has('review_list:view') ? [QUEUE_ROOM] : []),
  watch: {
    async review(db, actor, reviewId) {
      if (!actor.rights.permissions.has('review_list:view')) return null
      const { rows } = await sql<{
        id: string
      }>`select r.id from review r where r.id = ${reviewId} and ${reviewsInScope(actor)}`.execute(
        db,
      )
      return rows[0] ? `review:${reviewId}` : null
    },
  },
}
