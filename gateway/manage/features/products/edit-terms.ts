/**
 * Commands for the terms with ranges: quota, penalty, extension. They apply to later orders only.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { isPenaltyRight, isQuotaRight } from '#shared/products/product-terms.ts'
import type * as api from '#shared/products/products-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findTerms, type Product } from './product-queries.ts'
import { type LockedProduct, lockProduct, writeProduct } from './product-store.ts'

/**
 * @throws Problem G404, G409; G-FIELD for gaps, overlaps, limits outside the product's amounts, and
 * more instalments than the product has
 */
export async function editQuota(
  tx: CommandTx,
  { productId, version, quota }: InputOf<typeof api.editQuota>,
): Promise<Product> {
  const product = await lockProduct(tx, productId, version, findTerms)
  refuseEmi(product, 'quota')
  if (!isQuotaRight(quota)) throw wrong('quota', 'ranges')
  const {
    min_amount: min,
    max_amount: max,
    periods,
  } = product.before as { min_amount: number; max_amount: number; periods: number }
  if (quota.some(({ limit }) => limit < min || limit > max)) throw wrong('quota', 'limit')
  if (quota.some(({ term }) => term > periods)) throw wrong('quota', 'term')
  return writeProduct(tx, product, [sql`quota = ${JSON.stringify(quota)}::jsonb`], 'quota')
}

/**
 * Without ranges overdue days cost nothing.
 * @throws Problem G404, G409, G-FIELD for gaps, overlaps and a decreasing cap
 */
export async function editPenalty(
  tx: CommandTx,
  { productId, version, penalty }: InputOf<typeof api.editPenalty>,
): Promise<Product> {
  const product = await lockProduct(tx, productId, version, findTerms)
  if (!isPenaltyRight(penalty)) throw wrong('penalty', 'ranges')
  return writeProduct(
    tx,
    product,
    [sql`penalty = ${JSON.stringify(penalty)}::jsonb, penalty_rate = ${penalty[0]?.rate ?? 0}`],
    'penalty',
  )
}

/** @throws Problem G404, G409; G-FIELD for a rate above 100 % */
export async function editExtension(
  tx: CommandTx,
  { productId, version, extend }: InputOf<typeof api.editExtension>,
): Promise<Product> {
  const product = await lockProduct(tx, productId, version, findTerms)
  refuseEmi(product, 'extend')
  if (extend.feeType === 'rate' && extend.fee > 10_000)
    throw new Problem(INVALID_FIELDS, {}, { fields: { 'extend.fee': 'products:fault.rate' } })
  if (extend.feeType === 'rate' && extend.commission > 10_000)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { 'extend.commission': 'products:fault.rate' } },
    )
  return writeProduct(tx, product, [sql`extend = ${JSON.stringify(extend)}::jsonb`], 'extend')
}

/** An EMI product is offered alike to all, and its loans are not extended. */
function refuseEmi({ before }: LockedProduct, field: string): void {
  if (before.kind === 'emi') throw wrong(field, 'emiTerms')
}

function wrong(field: string, why: string): Problem {
  return new Problem(INVALID_FIELDS, {}, { fields: { [field]: `products:fault.${why}` } })
}
