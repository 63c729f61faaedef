/** Decisions of reviews, their hand-overs and their quality checks, made through the API. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  askCustomer,
  decideReview,
  undoDecision,
  escalateReview,
  retryReview,
  teleReview,
} from '#shared/review/review-api.ts'
import { decideHandover, requestHandover } from '#shared/review/review-handover-api.ts'
import {
  appealQuality,
  checkQuality,
  decideAppeal,
  openQualityCheck,
} from '#shared/review/review-quality-api.ts'
import { startBatch } from '#shared/rules/batch-api.ts'
import { made, mine, type Move, orderOf, reason, rowOf, type Scene } from './agree-scene.ts'

export const DECISION_MOVES: readonly Move[] = [
  {
    name: 'a rejection',
    emits: ['review.state.changed', 'order.status.changed'],
    arrange: mine('underReview'),
    act: async (scene, id) =>
      scene.reviewer.call(
        decideReview,
        { ...(await rowOf(scene, id)), result: 'failed', rejectCode: 'A01' },
        { 'idempotency-key': randomUUID() },
      ),
  },
  {
    name: 'a decision undone',
    emits: ['review.claimed', 'review.state.changed'],
    arrange: async (scene) => {
      await undoFor(scene, 60)
      const id = await mine('underReview')(scene)
      await scene.reviewer.call(
        decideReview,
        { ...(await rowOf(scene, id)), result: 'failed', rejectCode: 'A01' },
        { 'idempotency-key': randomUUID() },
      )
      return id
    },
    act: async (scene, id) => {
      const { reviewId, version, token } = await rowOf(scene, id)
      await scene.reviewer.call(
        undoDecision,
        { reviewId, version, token },
        { 'idempotency-key': randomUUID() },
      )
      await undoFor(scene, 0)
    },
  },
  {
    name: 'a pass, its checks and its payout',
    emits: ['review.state.changed', 'order.status.changed', 'payout.changed'],
    arrange: mine('underReview'),
    act: async (scene, id) =>
      scene.reviewer.call(
        decideReview,
        { ...(await rowOf(scene, id)), result: 'passed' },
        { 'idempotency-key': randomUUID() },
      ),
  },
  {
    name: 'an escalation',
    emits: ['review.state.changed'],
    arrange: mine('underReview'),
    act: async (scene, id) => {
      const { reviewId, version, token } = await rowOf(scene, id)
      return scene.reviewer.call(escalateReview, { reviewId, version, token, reason })
    },
  },
  {
    name: 'data requested from the customer',
    emits: ['review.state.changed'],
    arrange: mine('underReview'),
    act: async (scene, id) =>
      scene.reviewer.call(askCustomer, {
        ...(await rowOf(scene, id)),
        items: ['panPhoto'],
        message: 'a sharper photo, please',
      }),
  },
  {
    name: 'an abnormal review sent to manual review',
    emits: ['review.state.changed', 'review.queued'],
    arrange: made({ state: 'abnormal', retryCount: 3 }),
    act: async (scene, id) =>
      scene.manager.call(retryReview, {
        reviewId: id,
        version: (await rowOf(scene, id)).version,
        to: 'unclaimed',
      }),
  },
  {
    name: 'the card of a waiting review read again by a batch',
    emits: ['review.checks.changed'],
    arrange: made({ state: 'unclaimed', bindState: null }),
    act: async (scene, id) =>
      scene.manager.call(
        startBatch,
        {
          type: 'verify',
          source: 'file',
          orderIds: [await orderOf(scene, id)],
          reason: 'the bank was away',
        },
        { 'idempotency-key': randomUUID() },
      ),
  },
  {
    name: 'an unanswered verification call',
    emits: ['review.tele.changed'],
    arrange: mine('underReview', { teleState: 'executing', teleAttempts: 1 }),
    act: async (scene, id) =>
      scene.reviewer.call(teleReview, {
        reviewId: id,
        token: (await rowOf(scene, id)).token,
        callState: 'notConnected',
        contactResult: 3,
      }),
  },
  {
    name: 'a hand-over requested',
    emits: ['review.handover.changed'],
    arrange: mine('underReview'),
    act: ({ reviewer, colleague }, id) =>
      reviewer.call(requestHandover, { reviewIds: [id], toUserId: colleague.userId, reason }),
  },
  {
    name: 'a hand-over approved',
    emits: ['review.handover.changed', 'review.claimed'],
    arrange: askedFor,
    act: ({ colleague }, id) =>
      colleague.call(decideHandover, { handoverIds: [id], result: 'approved' }),
  },
  {
    name: 'a hand-over rejected',
    emits: ['review.handover.changed'],
    arrange: askedFor,
    act: ({ colleague }, id) =>
      colleague.call(decideHandover, { handoverIds: [id], result: 'rejected', reason }),
  },
  {
    name: 'a hand-over withdrawn',
    emits: ['review.handover.changed'],
    arrange: askedFor,
    act: ({ reviewer }, id) =>
      reviewer.call(decideHandover, { handoverIds: [id], result: 'cancelled' }),
  },
  {
    name: 'a quality check',
    emits: ['review.quality.changed'],
    arrange: mine('failed'),
    act: async (scene, id) =>
      scene.inspector.call(openQualityCheck, {
        reviewId: id,
        version: (await rowOf(scene, id)).version,
      }),
  },
  {
    name: 'an appeal',
    emits: ['review.quality.changed'],
    arrange: failedCheck,
    act: async (scene, id) =>
      scene.reviewer.call(appealQuality, {
        reviewId: id,
        version: (await rowOf(scene, id)).version,
        reason,
      }),
  },
  {
    name: 'an appeal decided',
    emits: ['review.quality.changed'],
    arrange: async (scene) => {
      const reviewId = await failedCheck(scene)
      await scene.reviewer.call(appealQuality, {
        reviewId,
        version: (await rowOf(scene, reviewId)).version,
        reason,
      })
      return reviewId
    },
    act: async (scene, id) =>
      scene.manager.call(decideAppeal, {
        reviewId: id,
        version: (await rowOf(scene, id)).version,
        result: 'upheld',
        reason,
      }),
  },
]

async function askedFor(scene: Scene): Promise<string> {
  const reviewId = await mine('underReview')(scene)
  await scene.reviewer.call(requestHandover, {
    reviewIds: [reviewId],
    toUserId: scene.colleague.userId,
    reason,
  })
  const { rows } = await sql<{
    id: string
  }>`select h.id from review_handover h where h.review_id = ${reviewId}`.execute(
    scene.stack.database.kysely,
  )
  return rows[0]?.id ?? ''
}

async function failedCheck(scene: Scene): Promise<string> {
  const reviewId = await mine('failed')(scene)
  await scene.inspector.call(openQualityCheck, {
    reviewId,
    version: (await rowOf(scene, reviewId)).version,
  })
  await scene.inspector.call(checkQuality, {
    reviewId,
    version: (await rowOf(scene, reviewId)).version,
    result: 'fail',
    qualityCode: 'A001',
  })
  return reviewId
}

async function undoFor({ stack }: Scene, seconds: number): Promise<void> {
  await sql`
    update sys_config set value = ${String(seconds)} where code = 'review.undoSeconds'`.execute(
    stack.database.kysely,
  )
}
