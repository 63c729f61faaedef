/**
 * Result of the machine review. For an order in 10: passed → 20, failed → 21, below the product's
 * minimum → 23; the review stays in `initial`. Undecided, passed with manual review demanded, or a
 * limit below the amount → 22 and into the queue. An order already in 22 (the machine ran again
 * after a failed post check) stays in manual review whatever the result.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { inboundMachineReview } from '#shared/orders/inbound-api.ts'
import type { OrderEvent } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { grantCredit } from '#gateway/manage/features/customers/public.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import { routeOf } from '../machine/judge-application.ts'
import { orderStatusOf } from '../decisions/order-status.ts'
import { logReview, emitMoved, emitQueued } from '../review-events.ts'
import { nextState, wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, type LockedReview, moveReview } from '../review-store.ts'

type Result = InputOf<typeof inboundMachineReview>

/** Days until a customer refused by a rule may apply again; rule ADM02 uses the same number. */
const COOL_DOWN_DAYS = 30

/**
 * @throws Problem G404, V-STATE (the review is past its machine run), O-STATE, O-RULE, G-FIELD (a
 * refusal without code)
 */
export async function receiveMachineReview(
  tx: CommandTx,
  result: Result,
): Promise<DataOf<typeof inboundMachineReview>> {
  const review = await lockReview(tx, result.reviewId)
  if (review.state !== 'initial' || review.finished_at !== null)
    throw await wrongState(tx.db, review, 'MACHINE_RESULT')
  const status = await orderStatusOf(tx, review.order_id)
  if (result.result === 'error') {
    const row = await moveReview(tx, review, {
      event: 'MACHINE_ERROR',
      to: await nextState(tx.db, review, { type: 'MACHINE_ERROR' }),
      set: [reportOf(result)],
    })
    emitMoved(tx, review.state, row)
    await grantCredit(tx, review.order_id, { state: 'abnormal', limit: null })
    return answer(tx, review, row, status)
  }
  const isForPeople = status === 22 || routeOf(result, review.amount) === 'people'
  return isForPeople ? queue(tx, review, result, status) : close(tx, review, result)
}

/** Into the queue. */
async function queue(tx: CommandTx, review: LockedReview, result: Result, status: OrderStatus) {
  const orderStatus =
    status === 22
      ? status
      : (
          await moveOrder(
            tx,
            review.order_id,
            {
              type: 'AUTO_UNDECIDED',
              needManual: result.needManual,
              outputAbnormal: !result.needManual,
            },
            { cause: 'machineReview' },
          )
        ).to
  const to = await nextState(tx.db, review, { type: 'MACHINE_UNDECIDED', orderStatus })
  const row = await moveReview(tx, review, {
    event: 'MACHINE_UNDECIDED',
    to,
    set: [reportOf(result), sql`queued_at = clock_timestamp(), priority = ${result.priority ?? 0}`],
  })
  emitMoved(tx, review.state, row)
  emitQueued(tx, row)
  return answer(tx, review, row, orderStatus)
}

/** The machine decided; no manual review. */
async function close(tx: CommandTx, review: LockedReview, result: Result) {
  const event = await orderEvent(tx, review, result)
  const refused =
    event.type === 'AUTO_REJECT'
      ? {
          note: event.refusalCode,
          set: {
            refusal_code: event.refusalCode,
            fail_reason: refusalWords(event.refusalCode, result),
            cool_down_until: event.coolDownUntil,
          },
        }
      : {}
  const moved = await moveOrder(tx, review.order_id, event, { cause: 'machineReview', ...refused })
  await grantCredit(tx, review.order_id, {
    state: result.result === 'passed' ? 'passed' : 'failed',
    limit: result.limit ?? null,
  })
  const row = await changeReview(tx, review, {
    event: 'MACHINE_DECIDED',
    set: [reportOf(result), sql`finished_at = clock_timestamp()`],
    note: result.result,
  })
  return answer(tx, review, row, moved.to)
}

async function orderEvent(
  tx: CommandTx,
  review: LockedReview,
  { result, needManual, refusalCode, limit }: Result,
): Promise<OrderEvent> {
  if (result === 'passed') return { type: 'AUTO_PASS', blockingRulesPassed: true, needManual }
  if (result === 'failed') {
    if (refusalCode === undefined)
      throw new Problem(INVALID_FIELDS, {}, { fields: { refusalCode: 'required' } })
    return {
      type: 'AUTO_REJECT',
      blockingRuleHit: true,
      refusalCode,
      coolDownUntil: addDays(istDay(await tx.now()), COOL_DOWN_DAYS),
    }
  }
  const { rows } = await sql<{
    min_amount: number
  }>`
    select coalesce((o.product_snapshot ->> 'minAmount')::bigint, p.min_amount) as min_amount
    from loan_order o join product p on p.id = o.product_id
    where o.id = ${review.order_id}`.execute(tx.db)
  return {
    type: 'LIMIT_FAIL',
    approvedLimitPaise: limit ?? 0,
    productMinimumPaise: rows[0]?.min_amount ?? 0,
  }
}

/** The rule's code with its name from the report, so that staff can explain the refusal. */
function refusalWords(code: string, { rules }: Result): string {
  const name = rules.find((rule) => rule.code === code)?.name
  return name ? `${code} · ${name}` : code
}

function reportOf({
  machineId,
  result,
  needManual,
  score,
  limit,
  rules,
}: Result): RawBuilder<unknown> {
  const report = {
    score: score ?? null,
    limit: limit ?? null,
    rules: rules.map((rule) => ({
      code: rule.code,
      name: rule.name,
      hit: rule.hit,
      output: rule.output ?? null,
      ...(rule.notEvaluated && { notEvaluated: rule.notEvaluated }),
    })),
  }
  return sql`
    machine_id = ${machineId}, machine_state = ${result}, machine_at = clock_timestamp(),
      need_manual = ${needManual}, machine_report = ${JSON.stringify(report)}::jsonb,
    machine_interval_sec = extract(epoch from clock_timestamp() - r.created_at)::int`
}

function answer(
  tx: CommandTx,
  review: LockedReview,
  row: ReviewRow,
  status: OrderStatus,
): DataOf<typeof inboundMachineReview> {
  logReview(tx, 'machineReview', review, row, { machineState: row.machineState })
  return { orderId: row.orderId, status, reviewState: row.state }
}
