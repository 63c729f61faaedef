/**
 * USE and GIVE_BACK: a coupon is used by a payment from its booking on, or by an application. The
 * caller has locked the order or the customer before.
 */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { COUPON_UNFIT } from '#shared/coupons/coupon-problems.ts'
import { TYPE_OF, type CouponType, type UnfitReason } from '#shared/coupons/coupon-sets.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { releaseWorth } from './coupon-store.ts'
import {
  changeGrant,
  type Grant,
  lockGrant,
  lockWithCoupon,
  nextGrantState,
  readGrants,
} from './grant-store.ts'

/** What a coupon is used with. */
export interface Usage {
  customerId: string
  productId: string
  type: CouponType
  /** Paise paid, or applied for. */
  amount: number
  /** IST day of the payment or of the application. */
  valueDay: string
}

/** Why the coupon does not fit; null when it does. What it comes to is not looked at. */
export function unfitReason(grant: Grant, usage: Usage): UnfitReason | null {
  if (grant.customer_id !== usage.customerId) return 'otherCustomer'
  if (TYPE_OF[grant.preferential_type] !== usage.type) return 'otherKind'
  if (grant.product_ids.length > 0 && !grant.product_ids.includes(usage.productId)) return 'product'
  if (usage.valueDay < grant.granted_on) return 'notYet'
  if (usage.valueDay > grant.valid_until) return 'over'
  return usage.amount < grant.terms.minAmount ? 'minimum' : null
}

/** Coupons of a customer that may be offered: unused ones of the type. */
export function unusedOf(db: Db, customerId: string, type: CouponType): Promise<Grant[]> {
  const isOfType: RawBuilder<boolean> =
    type === 'raiseLimit'
      ? sql<boolean>`g.preferential_type = 'limit'`
      : sql<boolean>`g.preferential_type <> 'limit'`
  return readGrants(
    db,
    sql<boolean>`g.customer_id = ${customerId} and g.state = 'unused' and ${isOfType}`,
  )
}

/**
 * The unused coupon, locked.
 * @throws Problem G404, Q-STATE for one that is not unused, Q-FIT with the reason
 */
export async function takeCoupon(tx: CommandTx, grantId: string, usage: Usage): Promise<Grant> {
  const grant = await lockGrant(tx.db, grantId)
  if (!grant || grant.customer_id !== usage.customerId) throw new Problem(NOT_FOUND)
  const reason = unfitReason(grant, usage)
  if (grant.state === 'unused' && reason !== null) throw new Problem(COUPON_UNFIT, { reason })
  nextGrantState(grant, useEvent(grant, usage))
  return grant
}

function useEvent(grant: Grant, { valueDay }: Pick<Usage, 'valueDay'>) {
  return {
    type: 'USE' as const,
    valueDay,
    grantedOn: grant.granted_on,
    validUntil: grant.valid_until,
  }
}

/** Marks a coupon that was taken as used. @param amount paise it comes to; 0 until it is counted */
export async function useCoupon(
  tx: CommandTx,
  grant: Grant,
  used: { orderId: string; recordId: string | null; amount: number; valueDay: string },
): Promise<Grant> {
  const state = nextGrantState(grant, useEvent(grant, used))
  const after = await changeGrant(tx, grant, state, [
    sql`order_id = ${used.orderId}`,
    sql`record_id = ${used.recordId}::text`,
    sql`amount = ${used.amount}::bigint`,
    sql`used_at = clock_timestamp()`,
  ])
  tx.log({
    action: 'useCoupon',
    targetKind: 'couponGrant',
    targetId: grant.id,
    before: { state: grant.state },
    after: { state, orderId: used.orderId, recordId: used.recordId, amount: used.amount },
  })
  return after
}

/** Writes what used coupons came to, after their payments were counted. Their order is locked. */
export async function reviseCoupons(
  tx: CommandTx,
  changes: readonly { grantId: string; amount: number }[],
): Promise<void> {
  for (const { grantId, amount } of changes) {
    const grant = await lockGrant(tx.db, grantId)
    if (grant?.state !== 'used') throw new Error(`coupon ${grantId} is not used by its payment`)
    if (grant.amount === amount) continue
    await changeGrant(tx, grant, grant.state, [sql`amount = ${amount}::bigint`])
    tx.log({
      action: 'reviseCoupon',
      targetKind: 'couponGrant',
      targetId: grantId,
      before: { amount: grant.amount },
      after: { amount },
    })
  }
}

/**
 * SQL expression: the coupon a payment uses, as the fold of a loan takes it (UsedCoupon).
 * @param recordId a trusted column name
 */
export function couponOf(recordId: string): RawBuilder<unknown> {
  return sql.raw(`(select json_build_object('grantId', cg.id, 'terms', cg.terms) from coupon_grant cg
    where cg.record_id = ${recordId})`)
}

/** The used coupon of a payment; null when it uses none. */
export async function couponOfRecord(trx: Trx, recordId: string): Promise<Grant | null> {
  const [grant] = await readGrants(trx, sql<boolean>`g.record_id = ${recordId}`)
  return grant ?? null
}

/** Returns the coupon of a payment. Does nothing when it uses none. */
export async function giveBackOfRecord(tx: CommandTx, recordId: string): Promise<void> {
  const grant = await couponOfRecord(tx.db, recordId)
  if (grant !== null) await giveBack(tx, grant.id)
}

/** Returns the coupon of an application that ended without a loan. */
export async function giveBackOfOrder(tx: CommandTx, orderId: string): Promise<void> {
  const grants = await readGrants(
    tx.db,
    sql<boolean>`g.order_id = ${orderId} and g.preferential_type = 'limit'`,
  )
  for (const { id } of grants) await giveBack(tx, id)
}

/** Unused again within its validity; expired after it, and its worth may be granted again. */
async function giveBack(tx: CommandTx, grantId: string): Promise<void> {
  const grant = await lockWithCoupon(tx.db, grantId)
  if (grant?.state !== 'used') return
  const today = istDay(await tx.now())
  const isOver = today > grant.valid_until
  const state = nextGrantState(grant, {
    type: isOver ? 'GIVE_BACK_LATE' : 'GIVE_BACK',
    today,
    validUntil: grant.valid_until,
  })
  await changeGrant(tx, grant, state, [
    sql`order_id = null`,
    sql`record_id = null`,
    sql`amount = 0`,
    sql`used_at = null`,
    sql`returned_at = clock_timestamp()`,
    ...(isOver ? [sql`ended_at = clock_timestamp()`] : []),
  ])
  if (isOver) await releaseWorth(tx, grant.coupon_id, grant.worth)
  tx.log({
    action: 'giveBackCoupon',
    targetKind: 'couponGrant',
    targetId: grantId,
    before: { state: grant.state, orderId: grant.order_id, recordId: grant.record_id },
    after: { state },
  })
}
