import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { followTask as followCall } from '#shared/telemarketing/tele-api.ts'
import { FOLLOW_RESULTS, NEEDS_NEXT, NEEDS_REMARK } from '#shared/telemarketing/tele-sets.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { giveCoupon } from '#gateway/manage/features/coupons/public.ts'
import { CLAIMS, type LockedTask, lockTask, moveTask } from '../task-store.ts'
import { emitFollowed, logTask } from '../tele-events.ts'
import { nextTaskState, requireAssignee, requireVersion } from '../tele-refusals.ts'
import type { TeleRow } from '../tele-row.ts'

/**
 * FOLLOW: stores the result of a contact. The first one ends the lease; the task stays with its
 * assignee.
 * @throws Problem G404, M-OWN, M-LEASE, M-TASK, G409, G422 (result, next time, remark, call), G403,
 * Q-OFF, Q-HAS, Q-BUDGET, Q-BLACK for its coupon
 */
export async function followTask(
  tx: CommandTx,
  { taskId, version, token, ...contact }: InputOf<typeof followCall>,
): Promise<TeleRow> {
  const { userId, userName } = staff(tx.actor)
  const task = await lockTask(tx, taskId)
  const facts = requireAssignee(tx, task, token)
  await requireVersion(tx, task, version)
  const { result, contactWay, nextFollowTime = null, callId = null, couponId = null } = contact
  const remark = contact.remark?.trim() ?? ''
  const now = await tx.now()
  requireFields({ result, remark, nextFollowTime, now })
  if (callId !== null) await requireOwnCall(tx, callId, task.customer_id, userId)
  const to = nextTaskState(task, {
    type: 'FOLLOW',
    result,
    remark,
    hasNext: nextFollowTime !== null,
    isNextLater: nextFollowTime !== null && Date.parse(nextFollowTime) > Date.parse(now),
    ...facts,
  })
  const row = await moveTask(tx, task, to, [
    CLAIMS.noLease,
    sql`follow_count = t.follow_count + 1`,
    sql`last_result = ${result}`,
    sql`last_follow_at = clock_timestamp()`,
    sql`next_follow_at = ${nextFollowTime}`,
  ])
  await sql`
    insert into tele_record (task_id, customer_id, segment, operator_id, operator_name, result, count,
      loss_days, contact_way, contact_last4, remark, next_follow_at, call_id)
    select ${task.id}, c.id, ${task.segment}, ${userId}, ${userName}, ${result}::int,
      ${row.followCount}::int, ${task.loss_days}::int, ${contactWay}, c.phone_last4,
      ${remark === '' ? null : remark}, ${nextFollowTime}::timestamptz, ${callId}
    from customer c where c.id = ${task.customer_id}`.execute(tx.db)
  if (callId !== null)
    await sql`update call_log set state = 'ended' where id = ${callId} and state = 'started'`.execute(
      tx.db,
    )
  if (couponId !== null) await offerCoupon(tx, task, couponId)
  emitFollowed(tx, row)
  logTask(tx, 'follow', row, task, {
    result,
    count: row.followCount,
    ...(couponId === null ? {} : { couponId }),
  })
  return row
}

/** The follow-up is saved only if the coupon is granted, so that no promise is lost silently. */
async function offerCoupon(
  tx: CommandTx,
  { id, customer_id: customerId, segment }: Pick<LockedTask, 'id' | 'customer_id' | 'segment'>,
  couponId: string,
): Promise<void> {
  if (!staff(tx.actor).rights.permissions.has(`${segment}:coupon`)) throw new Problem(FORBIDDEN)
  await giveCoupon(tx, { couponId, customerId, source: 'followUp', sourceId: id })
}

function requireFields(given: {
  result: number
  remark: string
  nextFollowTime: string | null
  now: string
}): void {
  const { result, remark, nextFollowTime, now } = given
  const fields: Record<string, string> = {}
  if (!FOLLOW_RESULTS.some((known) => known === result)) fields.result = 'unknown'
  if (NEEDS_NEXT.includes(result) && nextFollowTime === null) fields.nextFollowTime = 'required'
  if (nextFollowTime !== null && Date.parse(nextFollowTime) <= Date.parse(now))
    fields.nextFollowTime = 'future'
  if (NEEDS_REMARK.includes(result) && remark === '') fields.remark = 'required'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}

async function requireOwnCall(
  tx: CommandTx,
  callId: string,
  customerId: string,
  userId: string,
): Promise<void> {
  const { rows } = await sql`
    select from call_log l where l.id = ${callId} and l.customer_id = ${customerId}
      and l.user_id = ${userId} and l.kind = 'tele'`.execute(tx.db)
  if (rows.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { callId: 'unknown' } })
}
