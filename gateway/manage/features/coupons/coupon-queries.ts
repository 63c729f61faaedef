/** Coupons as their contract rows. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { couponOptions, editCoupon, listCoupons } from '#shared/coupons/coupons-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoText,
  likeStart,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'

export type Coupon = DataOf<typeof editCoupon>

const ROW: RawBuilder<unknown> = sql.raw(`json_build_object(
  'couponId', k.id, 'name', k.name, 'type', k.type, 'amountType', k.amount_type,
  'preferentialType', k.preferential_type, 'discountAmount', k.discount_amount, 'rate', k.rate,
  'ratio', k.ratio, 'minAmount', k.min_amount, 'validDays', k.valid_days,
  'products', (select coalesce(json_agg(json_build_object('productId', p.id, 'name', p.name)
    order by p.name, p.id), '[]') from product p where p.id = any (k.product_ids)),
  'budget', k.budget, 'committed', k.committed, 'creatorId', k.creator_id, 'creator', k.creator_name,
  'state', k.state, 'granted', k.granted, 'used', u.used, 'usedAmount', u.amount,
  'createTime', ${isoText('k.created_at')}, 'version', k.version)`)

const JOINS = sql`
  cross join lateral (select count(*)::int as used, coalesce(sum(g.amount), 0)::bigint as amount
    from coupon_grant g where g.coupon_id = k.id and g.state = 'used') u`

const SORTS = {
  createTime: notNull('k.created_at'),
  name: 'k.name',
  validDays: 'k.valid_days',
  minAmount: 'k.min_amount',
  granted: 'k.granted',
  budget: 'k.budget',
}

export function couponList(db: Db, input: InputOf<typeof listCoupons>): Promise<JsonText> {
  const { all, add } = filterClauses()
  add(input.couponId, (id) => sql`k.id = ${id}`)
  add(input.name, (name) => sql`lower(k.name) like ${`%${likeStart(name)}`}`)
  add(input.type, (type) => sql`k.type = ${type}`)
  add(input.preferentialType, (type) => sql`k.preferential_type = ${type}`)
  add(input.state, (state) => sql`k.state = ${state}`)
  add(input.creator, (name) => sql`lower(k.creator_name) like ${likeStart(name)}`)
  add(input.createTimeFrom, (time) => sql`k.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`k.created_at <= ${time}::timestamptz`)
  return onePage(db, {
    from: 'coupon k',
    where: allOf(all),
    order: sortOf(input.sort, SORTS, 'createTime:desc', 'k.id'),
    row: ROW,
    joins: JOINS,
    input,
  })
}

export async function findCoupon(db: Db, couponId: string): Promise<Coupon | null> {
  const { rows } = await sql<{ row: Coupon }>`
    select ${ROW} as row from coupon k ${JOINS} where k.id = ${couponId}`.execute(db)
  return rows[0]?.row ?? null
}

/** What forms offer: coupons that are switched on, and products that are lent. */
export async function findOptions(db: Db): Promise<DataOf<typeof couponOptions>> {
  const { rows } = await sql<{ data: DataOf<typeof couponOptions> }>`
    select json_build_object(
      'coupons', (select coalesce(json_agg(json_build_object('couponId', k.id, 'name', k.name,
        'amountType', k.amount_type, 'preferentialType', k.preferential_type, 'discountAmount',
        k.discount_amount, 'rate', k.rate, 'ratio', k.ratio, 'minAmount', k.min_amount, 'validDays',
        k.valid_days, 'budget', k.budget, 'committed', k.committed) order by k.name, k.id), '[]')
        from coupon k where k.state = 'enabled'),
      'products', (select coalesce(json_agg(json_build_object('productId', p.id, 'name', p.name)
        order by p.name, p.id), '[]') from product p where p.status = 'enabled')) as data`.execute(
    db,
  )
  return (rows[0] as { data: DataOf<typeof couponOptions> }).data
}
