/**
 * Gives a coupon to a customer: one unused of a kind each. What a customer holds keeps the terms it
 * was granted with. The budget counts what may still be used and what was used, each at its most.
 */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import {
  BUDGET_SPENT,
  COUPON_BLACKLISTED,
  COUPON_OFF,
  HAS_UNUSED,
} from '#shared/coupons/coupon-problems.ts'
import { BUDGET_WARNING, type GrantSource } from '#shared/coupons/coupon-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { hasUnused, type LockedCoupon, lockCoupon } from './coupon-store.ts'
import { emitGrant, type Grant, GRANT_COLUMNS } from './grant-store.ts'

export interface Giving {
  couponId: string
  customerId: string
  source: GrantSource
  /** The node or the task that gives it; null for staff. */
  sourceId: string | null
}

/**
 * Gives one customer a coupon, in the caller's transaction; refuses before it writes.
 * @throws Problem G404, Q-OFF, Q-BLACK, Q-HAS, Q-BUDGET
 */
export async function giveCoupon(
  tx: CommandTx,
  { couponId, customerId, source, sourceId }: Giving,
): Promise<{ grantId: string }> {
  const coupon = await lockCoupon(tx, couponId)
  if (coupon.state !== 'enabled') throw new Problem(COUPON_OFF)
  const worth = coupon.discount_amount ?? 0
  const left = coupon.budget === null ? null : coupon.budget - coupon.committed
  if (left !== null && worth > left) throw new Problem(BUDGET_SPENT, { amount: left })
  const { rows: customers } = await sql<{ blacklisted: boolean; has_unused: boolean }>`
    select c.blacklisted, ${hasUnused('c.id', coupon.preferential_type)} as has_unused
    from customer c where c.id = ${customerId}`.execute(tx.db)
  const [customer] = customers
  if (!customer) throw new Problem(NOT_FOUND)
  if (customer.blacklisted) throw new Problem(COUPON_BLACKLISTED)
  const grant = customer.has_unused
    ? null
    : await insertGrant(tx, coupon, { customerId, source, sourceId })
  if (grant === null) throw new Problem(HAS_UNUSED)
  await sql`
    update coupon k set committed = k.committed + ${worth}::bigint, granted = k.granted + 1
    where k.id = ${couponId}`.execute(tx.db)
  emitGrant(tx, grant)
  tx.log({
    menu: 'coupon_list',
    action: 'grantCoupon',
    targetKind: 'couponGrant',
    targetId: grant.id,
    after: { couponId, userId: customerId, source, validUntil: grant.valid_until, worth },
  })
  await warnOfBudget(tx, coupon, coupon.committed + worth)
  return { grantId: grant.id }
}

/** Null when the customer was given one of the kind at once, and the other came first. */
async function insertGrant(
  tx: CommandTx,
  coupon: LockedCoupon,
  { customerId, source, sourceId }: Omit<Giving, 'couponId'>,
): Promise<Grant | null> {
  const { userId, userName } = tx.actor
  const { rows } = await sql<Grant>`
    insert into coupon_grant as g (coupon_id, customer_id, preferential_type, terms, product_ids, worth,
      source, source_id, granted_on, valid_until, granted_by, granted_by_name)
    select ${coupon.id}, ${customerId}, ${coupon.preferential_type},
      ${JSON.stringify(termsOf(coupon))}::jsonb, ${coupon.product_ids}, ${coupon.discount_amount ?? 0},
      ${source}, ${sourceId}::text, t.today, t.today + ${coupon.valid_days}::int, ${userId}::text, ${userName}
    from (select (clock_timestamp() at time zone 'Asia/Kolkata')::date as today) t
    on conflict do nothing returning ${GRANT_COLUMNS}`.execute(tx.db)
  return rows[0] ?? null
}

export function termsOf(coupon: LockedCoupon): CouponTerms {
  return {
    amountType: coupon.amount_type,
    preferentialType: coupon.preferential_type,
    discountAmount: coupon.discount_amount,
    rate: coupon.rate,
    ratio: coupon.ratio,
    minAmount: coupon.min_amount,
  }
}

/** Notifies those who may grant it, once: when the budget reaches its warning level. */
export async function warnOfBudget(
  tx: CommandTx,
  { id, name, budget, committed }: LockedCoupon,
  now: number,
): Promise<void> {
  if (budget === null) return
  const reaches = (amount: number) => amount * 10_000 >= budget * BUDGET_WARNING
  if (reaches(committed) || !reaches(now)) return
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from sys_user u join sys_role_menu m on m.role_id = u.role_id
    where m.menu_id = 'M_coupon_list' and 'grant' = any (m.buttons)
      and u.status in ('enabled', 'normal') order by u.id limit 50`.execute(tx.db)
  for (const { id: userId } of rows)
    tx.notify({
      userId,
      kind: 'system',
      titleKey: 'coupons:notification.budget',
      params: { name, percent: Math.floor((now * 100) / budget) },
      route: `/loaned_management/coupon_list?couponId=${id}`,
    })
}
