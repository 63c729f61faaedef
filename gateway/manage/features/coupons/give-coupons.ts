/** Grants a coupon to many customers at once: each step of `giveCoupon` as one statement. */
import { sql } from 'kysely'
import type { GrantSource } from '#shared/coupons/coupon-sets.ts'
import { COUPONS_GRANTED } from '#shared/coupons/coupons-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { COUPON_ROOM, hasUnused, type LockedCoupon, lockCoupon } from './coupon-store.ts'
import { termsOf, warnOfBudget } from './give-coupon.ts'

/** What became of one customer; only `given` has a coupon more than before. */
export type CouponOutcome = 'given' | 'hasUnused' | 'blacklisted' | 'budget' | 'off'

interface GivingToMany {
  couponId: string
  customerIds: readonly string[]
  source: GrantSource
  /** The node that gives it. */
  sourceId: string
}

/**
 * The call is not refused for single customers: those who get none are returned with the reason. The
 * budget is spent in the order of the list.
 * @throws Problem G404 without the coupon
 */
export async function giveCoupons(
  tx: CommandTx,
  { couponId, customerIds, source, sourceId }: GivingToMany,
): Promise<ReadonlyMap<string, CouponOutcome>> {
  const coupon = await lockCoupon(tx, couponId)
  if (coupon.state !== 'enabled') return new Map(customerIds.map((id) => [id, 'off']))
  const outcomes = new Map<string, CouponOutcome>()
  const { rows } = await sql<{ id: string; blacklisted: boolean; has_unused: boolean }>`
    select c.id, c.blacklisted, ${hasUnused('c.id', coupon.preferential_type)} as has_unused
    from unnest(${customerIds}::text[]) with ordinality as u (id, n) join customer c on c.id = u.id
    order by u.n`.execute(tx.db)
  for (const { id, blacklisted, has_unused: hasUnused } of rows)
    outcomes.set(id, blacklisted ? 'blacklisted' : hasUnused ? 'hasUnused' : 'budget')
  const worth = coupon.discount_amount ?? 0
  const room =
    coupon.budget === null ? Infinity : Math.floor((coupon.budget - coupon.committed) / worth)
  const fitting = rows.flatMap(({ id }) => (outcomes.get(id) === 'budget' ? [id] : []))
  const given = await insertGrants(tx, coupon, fitting.slice(0, room), { source, sourceId })
  // a coupon of the kind that another transaction granted at the same moment counts as unused
  for (const id of fitting.slice(0, room)) outcomes.set(id, given.has(id) ? 'given' : 'hasUnused')
  if (given.size === 0) return outcomes
  await sql`
    update coupon k set committed = k.committed + ${worth * given.size}::bigint,
      granted = k.granted + ${given.size}::int
    where k.id = ${couponId}`.execute(tx.db)
  tx.emit(COUPONS_GRANTED, {
    subject: `coupon:${couponId}`,
    rooms: [COUPON_ROOM, ...[...given].map((id) => `customer:${id}`)],
    data: { couponId, count: given.size },
  })
  tx.log({
    menu: 'coupon_list',
    action: 'grantCoupon',
    targetKind: 'coupon',
    targetId: couponId,
    after: { source, sourceId, count: given.size, worth },
  })
  await warnOfBudget(tx, coupon, coupon.committed + worth * given.size)
  return outcomes
}

async function insertGrants(
  tx: CommandTx,
  coupon: LockedCoupon,
  customerIds: readonly string[],
  { source, sourceId }: Pick<GivingToMany, 'source' | 'sourceId'>,
): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set()
  const { userId, userName } = tx.actor
  const { rows } = await sql<{ customer_id: string }>`
    insert into coupon_grant (coupon_id, customer_id, preferential_type, terms, product_ids, worth,
      source, source_id, granted_on, valid_until, granted_by, granted_by_name)
    select ${coupon.id}, u.id, ${coupon.preferential_type}, ${JSON.stringify(termsOf(coupon))}::jsonb,
      ${coupon.product_ids}::text[], ${coupon.discount_amount ?? 0}::bigint, ${source}, ${sourceId}, t.today,
      t.today + ${coupon.valid_days}::int, ${userId}::text, ${userName}
    from unnest(${[...customerIds]}::text[]) as u (id)
    cross join (select (clock_timestamp() at time zone 'Asia/Kolkata')::date as today) t
    on conflict do nothing returning customer_id`.execute(tx.db)
  return new Set(rows.map(({ customer_id: id }) => id))
}
