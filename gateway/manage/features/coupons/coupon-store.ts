/** Writes `coupon`: locked before what was granted of it. */
import { type RawBuilder, sql } from 'kysely'
import type { AmountType, CouponState, PreferentialType } from '#shared/coupons/coupon-sets.ts'
import { COUPON_CHANGED } from '#shared/coupons/coupons-live.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Room of everybody who has the list. */
export const COUPON_ROOM = 'menu:coupon_list'

export interface LockedCoupon {
  id: string
  name: string
  amount_type: AmountType
  preferential_type: PreferentialType
  discount_amount: number | null
  rate: number | null
  ratio: number | null
  min_amount: number
  valid_days: number
  product_ids: string[]
  budget: number | null
  committed: number
  granted: number
  creator_id: string | null
  state: CouponState
  version: number
}

const COLUMNS = sql.raw(`
  k.id, k.name, k.amount_type, k.preferential_type, k.discount_amount, k.rate, k.ratio, k.min_amount,
  k.valid_days, k.product_ids, k.budget, k.committed, k.granted, k.creator_id, k.state, k.version`)

/** Whether a customer holds an unused coupon of a kind. @param customerId a column */
export function hasUnused(customerId: string, kind: PreferentialType): RawBuilder<boolean> {
  return sql<boolean>`
    exists (select from coupon_grant g where g.customer_id = ${sql.ref(customerId)}
      and g.preferential_type = ${kind} and g.state = 'unused')`
}

/** @throws Problem G404 */
export async function lockCoupon(tx: CommandTx, couponId: string): Promise<LockedCoupon> {
  const { rows } = await sql<LockedCoupon>`
    select ${COLUMNS} from coupon k where k.id = ${couponId} for update`.execute(tx.db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

/** @param set assignments to columns of `coupon k` */
export async function writeCoupon(
  tx: CommandTx,
  couponId: string,
  set: RawBuilder<unknown>[],
): Promise<LockedCoupon> {
  const { rows } = await sql<LockedCoupon>`
    update coupon k set ${sql.join(set)}, updated_at = clock_timestamp(), version = k.version + 1
    where k.id = ${couponId} returning ${COLUMNS}`.execute(tx.db)
  const coupon = rows[0] as LockedCoupon
  emitCoupon(tx, coupon)
  return coupon
}

export function emitCoupon(
  tx: CommandTx,
  { id, state, version }: Pick<LockedCoupon, 'id' | 'state' | 'version'>,
): void {
  tx.emit(COUPON_CHANGED, {
    subject: `coupon:${id}`,
    version,
    rooms: [COUPON_ROOM],
    data: { couponId: id, state },
  })
}

/** A grant expired or was revoked: its worth may be granted again. The coupon is locked. */
export async function releaseWorth(tx: CommandTx, couponId: string, worth: number): Promise<void> {
  if (worth === 0) return
  await sql`
    update coupon k set committed = k.committed - ${worth}::bigint where k.id = ${couponId}`.execute(
    tx.db,
  )
}
