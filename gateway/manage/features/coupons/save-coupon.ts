import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { addCoupon as addCall, editCoupon as editCall } from '#shared/coupons/coupons-api.ts'
import {
  COUPON_GRANTED_ALREADY,
  COUPON_NAME_TAKEN,
  VALIDITY_WRONG,
} from '#shared/coupons/coupon-problems.ts'
import { TYPE_OF, VALID_DAYS } from '#shared/coupons/coupon-sets.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type Coupon, findCoupon } from './coupon-queries.ts'
import { emitCoupon, type LockedCoupon, lockCoupon, writeCoupon } from './coupon-store.ts'

type Fields = Omit<InputOf<typeof addCall>, 'type'>

/** @throws Problem G-FIELD, Q-DATE, K-DUP */
export async function addCoupon(tx: CommandTx, input: InputOf<typeof addCall>): Promise<string> {
  const { type, ...fields } = input
  if (TYPE_OF[fields.preferentialType] !== type)
    throw wrong({ preferentialType: 'coupons:fault.type' })
  checkFields(fields)
  await checkNames(tx, fields, null)
  const { rows } = await sql<{ id: string }>`
    insert into coupon (name, type, amount_type, preferential_type, discount_amount, rate, ratio,
      min_amount, valid_days, product_ids, budget, creator_id, creator_name)
    values (${fields.name.trim()}, ${type}, ${fields.amountType}, ${fields.preferentialType},
      ${fields.discountAmount ?? null}, ${fields.rate ?? null}, ${fields.ratio ?? null},
      ${fields.minAmount}, ${fields.validDays}, ${fields.productIds ?? []}, ${fields.budget ?? null},
      ${tx.actor.userId}, ${tx.actor.userName})
    on conflict do nothing returning id`.execute(tx.db)
  const couponId = rows[0]?.id
  // the same name was given at once, and the other came first
  if (couponId === undefined) throw new Problem(COUPON_NAME_TAKEN)
  emitCoupon(tx, { id: couponId, state: 'enabled', version: 1 })
  tx.log({ action: 'addCoupon', targetKind: 'coupon', targetId: couponId, after: input })
  return couponId
}

/**
 * Changes a coupon. Its amounts are fixed once it was granted: a customer who compares sees the same
 * coupon twice. What was granted keeps its terms.
 * @throws Problem G404, G409, G-FIELD, Q-DATE, Q-LOCK, K-DUP
 */
export async function editCoupon(
  tx: CommandTx,
  { couponId, version, ...given }: InputOf<typeof editCall>,
): Promise<Coupon> {
  const before = await lockCoupon(tx, couponId)
  if (before.version !== version)
    throw await changedByOther(tx.db, 'coupon', couponId, await findCoupon(tx.db, couponId))
  const fields: Fields = { ...amountsOf(before), ...(given as Partial<Fields>), ...restOf(given) }
  if (before.granted > 0 && changesAmounts(before, fields))
    throw new Problem(COUPON_GRANTED_ALREADY)
  if (TYPE_OF[fields.preferentialType] !== TYPE_OF[before.preferential_type])
    throw wrong({ preferentialType: 'coupons:fault.type' })
  checkFields(fields)
  if (fields.budget !== undefined && fields.budget < before.committed)
    throw wrong({ budget: 'coupons:fault.budgetCommitted' })
  await checkNames(tx, fields, couponId)
  await writeCoupon(tx, couponId, [
    sql`name = ${fields.name.trim()}`,
    sql`amount_type = ${fields.amountType}`,
    sql`preferential_type = ${fields.preferentialType}`,
    sql`discount_amount = ${fields.discountAmount ?? null}`,
    sql`rate = ${fields.rate ?? null}`,
    sql`ratio = ${fields.ratio ?? null}`,
    sql`min_amount = ${fields.minAmount}`,
    sql`valid_days = ${fields.validDays}`,
    sql`product_ids = ${fields.productIds ?? []}`,
    sql`budget = ${fields.budget ?? null}`,
  ])
  tx.log({
    action: 'editCoupon',
    targetKind: 'coupon',
    targetId: couponId,
    before: { ...amountsOf(before), name: before.name, minAmount: before.min_amount },
    after: fields,
  })
  // locked above
  return (await findCoupon(tx.db, couponId)) as Coupon
}

function restOf({
  name,
  minAmount,
  validDays,
  budget,
  productIds,
}: Omit<InputOf<typeof editCall>, 'couponId' | 'version'>): Pick<
  Fields,
  'name' | 'minAmount' | 'validDays' | 'budget' | 'productIds'
> {
  return {
    name,
    minAmount,
    validDays,
    ...(budget === undefined ? {} : { budget }),
    ...(productIds === undefined ? {} : { productIds }),
  }
}

function amountsOf({
  amount_type: amountType,
  preferential_type: preferentialType,
  discount_amount: discountAmount,
  rate,
  ratio,
}: LockedCoupon): Pick<
  Fields,
  'amountType' | 'preferentialType' | 'discountAmount' | 'rate' | 'ratio'
> {
  return {
    amountType,
    preferentialType,
    ...(discountAmount === null ? {} : { discountAmount }),
    ...(rate === null ? {} : { rate }),
    ...(ratio === null ? {} : { ratio }),
  }
}

function changesAmounts(before: LockedCoupon, fields: Fields): boolean {
  return (
    before.amount_type !== fields.amountType ||
    before.preferential_type !== fields.preferentialType ||
    before.discount_amount !== (fields.discountAmount ?? null) ||
    before.rate !== (fields.rate ?? null) ||
    before.ratio !== (fields.ratio ?? null)
  )
}

function checkFields({ amountType, discountAmount, rate, ratio, validDays, budget }: Fields): void {
  const fields: Record<string, string> = {}
  if (amountType === 'fixed' && discountAmount === undefined) fields.discountAmount = 'required'
  if (amountType === 'fixed' && rate !== undefined) fields.rate = 'coupons:fault.rateOfFixed'
  if (amountType === 'rate' && rate === undefined) fields.rate = 'required'
  if (amountType === 'rate' && ratio !== undefined) fields.ratio = 'coupons:fault.ratioOfRate'
  if (budget !== undefined && discountAmount === undefined)
    fields.discountAmount = 'coupons:fault.capForBudget'
  if (budget !== undefined && discountAmount !== undefined && budget < discountAmount)
    fields.budget = 'coupons:fault.budgetSmall'
  if (Object.keys(fields).length > 0) throw wrong(fields)
  if (validDays < VALID_DAYS.least || validDays > VALID_DAYS.most)
    throw new Problem(VALIDITY_WRONG, {}, { fields: { validDays: 'coupons:fault.validDays' } })
}

async function checkNames(tx: CommandTx, fields: Fields, couponId: string | null): Promise<void> {
  const productIds = fields.productIds ?? []
  const { rows } = await sql<{ taken: boolean; products: number }>`
    select exists (select from coupon k where lower(k.name) = ${fields.name.trim().toLowerCase()}
      and k.id is distinct from ${couponId}) as taken,
      (select count(*)::int from product p where p.id = any(${productIds}::text[])) as products`.execute(
    tx.db,
  )
  const { taken, products } = rows[0] as { taken: boolean; products: number }
  if (taken) throw new Problem(COUPON_NAME_TAKEN, {}, { fields: { name: 'coupons:fault.name' } })
  if (products !== productIds.length) throw wrong({ productIds: 'unknown' })
}

function wrong(fields: Record<string, string>): Problem {
  return new Problem(INVALID_FIELDS, {}, { fields })
}
