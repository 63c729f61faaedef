/** Rows of `coupon_grant`: locked after their order, and after their coupon where its worth changes. */
import { type RawBuilder, sql } from 'kysely'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import { GRANT_STATE } from '#shared/coupons/coupon-problems.ts'
import type { PreferentialType } from '#shared/coupons/coupon-sets.ts'
import { COUPON_GRANTED } from '#shared/coupons/coupons-live.ts'
import {
  type GrantEvent,
  grantLifecycle,
  type GrantState,
} from '#shared/coupons/grant-lifecycle.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { COUPON_ROOM } from './coupon-store.ts'

export interface Grant {
  id: string
  coupon_id: string
  customer_id: string
  preferential_type: PreferentialType
  terms: CouponTerms
  product_ids: string[]
  worth: number
  state: GrantState
  /** IST days. */
  granted_on: string
  valid_until: string
  order_id: string | null
  record_id: string | null
  used_at: string | null
  amount: number
  version: number
}

export const GRANT_COLUMNS = sql.raw(`
  g.id, g.coupon_id, g.customer_id, g.preferential_type, g.terms, g.product_ids, g.worth, g.state,
  g.granted_on::text, g.valid_until::text, g.order_id, g.record_id, g.used_at, g.amount, g.version`)

/** Grants without a lock, for what only looks. */
export async function readGrants(db: Db, which: RawBuilder<boolean>): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select ${GRANT_COLUMNS} from coupon_grant g where ${which} order by g.valid_until, g.id`.execute(
    db,
  )
  return rows
}

export async function lockGrant(trx: Trx, grantId: string): Promise<Grant | null> {
  const { rows } = await sql<Grant>`
    select ${GRANT_COLUMNS} from coupon_grant g where g.id = ${grantId} for update`.execute(trx)
  return rows[0] ?? null
}

/** Locks its coupon first, in the order in which a grant does. */
export async function lockWithCoupon(trx: Trx, grantId: string): Promise<Grant | null> {
  await sql`
    select from coupon k where k.id = (select g.coupon_id from coupon_grant g where g.id = ${grantId})
      for update`.execute(trx)
  return lockGrant(trx, grantId)
}

/** The next state by the lifecycle. @throws Problem Q-STATE */
export function nextGrantState({ state }: Pick<Grant, 'state'>, event: GrantEvent): GrantState {
  try {
    return grantLifecycle.next(state, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    throw new Problem(GRANT_STATE, { state })
  }
}

/** Writes a locked one and emits its event. @param set further columns of `coupon_grant g` */
export async function changeGrant(
  tx: CommandTx,
  grant: Grant,
  state: GrantState,
  set: RawBuilder<unknown>[],
): Promise<Grant> {
  const { rows } = await sql<Grant>`
    update coupon_grant g set ${sql.join([
      sql`
      state = ${state}`,
      ...set,
    ])}, updated_at = clock_timestamp(), version = g.version + 1
    where g.id = ${grant.id} and g.version = ${grant.version} returning ${GRANT_COLUMNS}`.execute(
    tx.db,
  )
  const row = rows[0]
  if (!row) throw new Error(`coupon grant ${grant.id} changed under its lock`)
  emitGrant(tx, row, grant.order_id)
  return row
}

/** @param formerOrderId of what it was used with before */
export function emitGrant(tx: CommandTx, grant: Grant, formerOrderId: string | null = null): void {
  const orderId = grant.order_id ?? formerOrderId
  tx.emit(COUPON_GRANTED, {
    subject: `couponGrant:${grant.id}`,
    version: grant.version,
    rooms: [
      COUPON_ROOM,
      `customer:${grant.customer_id}`,
      ...(orderId === null ? [] : [`order:${orderId}`]),
    ],
    data: {
      couponId: grant.coupon_id,
      grantId: grant.id,
      userId: grant.customer_id,
      orderId: grant.order_id,
      recordId: grant.record_id,
      state: grant.state,
      amount: grant.amount,
      useTime: grant.used_at === null ? null : new Date(grant.used_at).toISOString(),
    },
  })
}
