/** Changes of applications and of the queue of reviews, made through the API. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import {
  assignReviews,
  claimReviews,
  openReview,
  releaseReviews,
  takeOverReview,
} from '#shared/review/review-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { runOut } from '#tests/factories/reviews.ts'
import { made, mine, type Move, reason, rowOf } from './agree-scene.ts'

let applicants = 500_000

export const QUEUE_MOVES: readonly Move[] = [
  {
    name: 'an application arrives',
    emits: ['order.created'],
    arrange: async ({ stack }) => (await makeOrder(stack, { status: 70 })).orderId,
    act: ({ machine }) => machine.call(inboundApplication, makeApplication((applicants += 1))),
  },
  {
    name: 'the machine cannot decide',
    emits: ['review.queued', 'review.state.changed', 'order.status.changed'],
    arrange: async ({ machine }) =>
      (await machine.call(inboundApplication, makeApplication((applicants += 1)))).reviewId,
    act: ({ machine }, reviewId) =>
      machine.call(inboundMachineReview, {
        reviewId,
        machineId: `M${randomUUID().slice(0, 8)}`,
        result: 'undecided',
        needManual: true,
        score: 500,
        limit: 5_000_000,
        rules: [],
      }),
  },
  {
    name: 'a claim',
    emits: ['review.claimed', 'review.state.changed'],
    arrange: made({ state: 'unclaimed' }),
    act: ({ reviewer }, id) => reviewer.call(claimReviews, { reviewIds: [id] }),
  },
  {
    name: 'an assignment',
    emits: ['review.claimed'],
    arrange: made({ state: 'unclaimed' }),
    act: ({ manager, colleague }, id) =>
      manager.call(assignReviews, { reviewIds: [id], reviewerId: colleague.userId }),
  },
  {
    name: 'a review opened',
    emits: ['review.state.changed'],
    arrange: mine('toAudit'),
    act: async (scene, id) => scene.reviewer.call(openReview, await rowOf(scene, id)),
  },
  {
    name: 'a release',
    emits: ['review.released', 'review.queued'],
    arrange: mine('underReview'),
    act: ({ reviewer }, id) => reviewer.call(releaseReviews, { reviewIds: [id], reason }),
  },
  {
    name: 'an expired lease',
    emits: ['review.released', 'review.queued'],
    arrange: mine('toAudit'),
    act: async ({ stack }, id) => {
      await runOut(stack, id)
      stack.context.wakeSchedule('leaseSweep')
    },
  },
  {
    name: 'a lease about to expire',
    emits: ['review.lease.expiring'],
    arrange: mine('underReview'),
    async act({ stack }, id) {
      await sql`
        update review set idle_until = clock_timestamp() + interval '45 seconds' where id = ${id}`.execute(
        stack.database.kysely,
      )
      stack.context.wakeSchedule('leaseSweep')
    },
  },
  {
    name: 'a take-over',
    emits: ['review.claimed', 'review.released'],
    arrange: mine('underReview'),
    act: async (scene, id) =>
      scene.manager.call(takeOverReview, {
        reviewId: id,
        version: (await rowOf(scene, id)).version,
        reason,
      }),
  },
  {
    name: 'a growing queue',
    emits: ['review.queue.stats', 'review.queued'],
    arrange: async ({ machine }) =>
      (await machine.call(inboundApplication, makeApplication((applicants += 1)))).reviewId,
    async act({ stack, machine }, reviewId) {
      await machine.call(inboundMachineReview, {
        reviewId,
        machineId: `M${randomUUID().slice(0, 8)}`,
        result: 'undecided',
        needManual: true,
        rules: [],
      })
      stack.context.wakeSchedule('liveStats')
    },
  },
]
