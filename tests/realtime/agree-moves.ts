/**
 * Every change of a review or an order that causes live events, made through the API. Each move
 * names the event types it must cause.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import {
  askCustomer,
  assignReviews,
  claimReviews,
  decideHandover,
  decideReview,
  undoDecision,
  escalateReview,
  openReview,
  releaseReviews,
  requestHandover,
  retryReview,
  takeOverReview,
  teleReview,
} from '#shared/review/review-api.ts'
import {
  appealQuality,
  checkQuality,
  decideAppeal,
  openQualityCheck,
} from '#shared/review/review-quality-api.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { receivePayout } from '#gateway/manage/features/orders/receive-payout.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  approveCure,
  askForCure,
  bookExtension,
  confirmExtension,
  FIRST_PART,
  missPart,
} from '#tests/factories/agreements.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { fallDue, makeBadDebt, makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview, type ReviewGiven, runOut } from '#tests/factories/reviews.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Person } from '#tests/support/manage.ts'
import type { Stack } from '#tests/support/stack.ts'

export interface Scene {
  stack: Stack
  machine: Machine
  reviewer: Person
  colleague: Person
  inspector: Person
  manager: Person
  director: Person
  service: Person
}

export interface Move {
  name: string
  /** Event types it must cause. */
  emits: readonly string[]
  /** Before the lists are read; its result is passed to `act`. */
  arrange(scene: Scene): Promise<string>
  /** After they were read. */
  act(scene: Scene, id: string): Promise<unknown>
}

export async function sceneOf(stack: Stack): Promise<Scene> {
  const [reviewer, colleague, inspector, manager, director, service] = await Promise.all([
    stack.signIn('reviewer'),
    stack.signIn('reviewer2'),
    stack.signIn('quality_inspector'),
    stack.signIn('manager'),
    stack.signIn('director'),
    stack.signIn('customer_service'),
  ])
  return {
    stack,
    machine: await machineOf(stack, ['application', 'machineReview', 'payment']),
    reviewer,
    colleague,
    inspector,
    manager,
    director,
    service,
  }
}

let applicants = 500_000
const reason = 'a test of the lists'
const made =
  (given: ReviewGiven) =>
  async ({ stack }: Scene) =>
    (await makeReview(stack, given)).reviewId
const mine =
  (state: ReviewGiven['state'], given: ReviewGiven = {}) =>
  async ({ stack, reviewer }: Scene) =>
    (await makeReview(stack, { ...given, state, reviewerId: reviewer.userId })).reviewId
async function rowOf(
  { stack }: Scene,
  reviewId: string,
): Promise<{ reviewId: string; version: number; token: number }> {
  const { rows } = await sql<{
    version: number
    token: number
  }>`select r.version, r.token from review r where r.id = ${reviewId}`.execute(
    stack.database.kysely,
  )
  return { reviewId, version: rows[0]?.version ?? 0, token: rows[0]?.token ?? 0 }
}
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
/**
 * An order being paid out by a vendor whose answer the test decides; the sandbox vendor ignores it.
 */
async function paying({ stack }: Scene): Promise<string> {
  const { platformOrderNo } = await makeOrder(stack, { status: 29, vendorCode: 'elsewhere' })
  return platformOrderNo ?? ''
}
const paid =
  (result: 'success' | 'fail') =>
  ({ stack }: Scene, platformOrderNo: string) =>
    runCommand(stack.context, { actor: systemActor('test'), audit: { action: 'payout' } }, (tx) =>
      receivePayout(tx, {
        platformOrderNo,
        vendorOrderNo: `V-${platformOrderNo}`,
        result,
        ...(result === 'success'
          ? { utr: '123456789012' }
          : { failReason: 'Beneficiary account closed' }),
      }),
    )

/** A running loan whose first instalment was due yesterday; no day has been opened since. */
async function dueYesterday({ stack }: Scene): Promise<string> {
  const { orderId } = await makeOrder(stack, { status: 30 })
  await sql`
    update repay_plan p set due_at = p.due_at - x.days
      from (select min(y.due_at) - (clock_timestamp() at time zone 'Asia/Kolkata')::date + 1 as days
      from repay_plan y where y.order_id = ${orderId}) x where p.order_id = ${orderId}`.execute(
    stack.database.kysely,
  )
  return orderId
}
async function dayBegins({ stack }: Scene): Promise<void> {
  await sql`delete from day_opening`.execute(stack.database.kysely)
  await openDays(stack.context, istDay(Date.now()), [openDayCases])
}

const badDebt = async ({ stack }: Scene) => (await makeBadDebt(stack)).orderId
async function curedDebt(scene: Scene): Promise<string> {
  const orderId = await badDebt(scene)
  await approveCure(scene.director, await askForCure(scene.manager, orderId))
  return orderId
}
const late = async ({ stack }: Scene) => (await makeCase(stack, { overdueDays: 12 })).orderId
/** What an order waits for: its request, or its payment. */
const waiting = new Map<string, string>()
async function withRequest(scene: Scene): Promise<string> {
  const orderId = await badDebt(scene)
  waiting.set(orderId, await askForCure(scene.manager, orderId))
  return orderId
}
async function withExtension(scene: Scene): Promise<string> {
  const orderId = await late(scene)
  waiting.set(orderId, await bookExtension(scene.stack, scene.service, orderId))
  return orderId
}

async function undoFor({ stack }: Scene, seconds: number): Promise<void> {
  await sql`
    update sys_config set value = ${String(seconds)} where code = 'review.undoSeconds'`.execute(
    stack.database.kysely,
  )
}

export const MOVES: readonly Move[] = [
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
  {
    name: 'a cancelled order',
    emits: ['order.status.changed', 'review.state.changed'],
    arrange: async ({ stack }) => (await makeReview(stack, { state: 'unclaimed' })).orderId,
    act: async ({ stack, manager }, orderId) => {
      const { rows } = await sql<{
        version: number
      }>`select o.version from loan_order o where o.id = ${orderId}`.execute(stack.database.kysely)
      return manager.call(
        cancelOrder,
        { orderId, version: rows[0]?.version ?? 0, reason },
        { 'idempotency-key': randomUUID() },
      )
    },
  },
  {
    name: 'a remark',
    emits: ['order.updated'],
    arrange: async ({ stack }) => (await makeOrder(stack, { status: 70 })).orderId,
    act: ({ manager }, orderId) => manager.call(remarkOrder, { orderId, remark: 'called back' }),
  },
  {
    name: 'a day on which a loan is overdue for the first time',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: dueYesterday,
    act: dayBegins,
  },
  {
    name: 'a day of a loan that is overdue',
    emits: ['order.updated', 'plan.changed'],
    arrange: async (scene) => {
      const { orderId } = await makeOrder(scene.stack, { status: 30 })
      await fallDue(scene.stack, orderId, 3)
      return orderId
    },
    act: dayBegins,
  },
  {
    name: 'a cure requested',
    emits: ['approval.changed'],
    arrange: badDebt,
    act: ({ manager }, id) => askForCure(manager, id),
  },
  {
    name: 'a cure approved',
    emits: ['order.status.changed'],
    arrange: withRequest,
    act: ({ director }, id) => approveCure(director, waiting.get(id) ?? ''),
  },
  {
    name: 'a part of a cure paid',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: curedDebt,
    act: ({ machine }, orderId) =>
      machine.call(inboundPayment, {
        vendorOrderNo: 'AM1',
        orderId,
        amount: FIRST_PART,
        channel: 1,
        result: 'success',
        utr: '760000990001',
      }),
  },
  {
    name: 'a part of a cure missed',
    emits: ['order.status.changed'],
    arrange: async (scene) => {
      const orderId = await curedDebt(scene)
      await missPart(scene.stack, orderId)
      return orderId
    },
    act: dayBegins,
  },
  {
    name: 'an extension booked',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: late,
    act: ({ stack, service }, id) => bookExtension(stack, service, id),
  },
  {
    name: 'an extension confirmed',
    emits: ['order.status.changed', 'order.created', 'plan.changed'],
    arrange: withExtension,
    act: ({ manager }, id) => confirmExtension(manager, waiting.get(id) ?? ''),
  },
  {
    name: 'a payout that arrived',
    emits: ['order.status.changed', 'payout.changed', 'plan.changed'],
    arrange: paying,
    act: paid('success'),
  },
  {
    name: 'a payout that failed',
    emits: ['order.status.changed', 'payout.changed'],
    arrange: paying,
    act: paid('fail'),
  },
]
