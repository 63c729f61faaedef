/** The parts of a product's terms that are ranges: quota, penalty, extension. For orders made from now on. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { isPenaltyRight, isQuotaRight } from '#shared/products/product-terms.ts'
import type * as api from '#shared/products/products-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { findTerms, type Product } from './product-queries.ts'
import { lockProduct, writeProduct } from './product-store.ts'

/** @throws Problem G404, G409; G422 for gaps and overlaps, limits outside the product's amounts and more instalments than it has */
export async function editQuota(
  cx: Cx,
  { productId, version, quota }: InputOf<typeof api.editQuota>,
): Promise<Product> {
  const product = await lockProduct(cx, productId, version, findTerms)
  if (!isQuotaRight(quota)) throw wrong('quota', 'ranges')
  const {
    min_amount: min,
    max_amount: max,
    periods,
  } = product.before as { min_amount: number; max_amount: number; periods: number }
  if (quota.some(({ limit }) => limit < min || limit > max)) throw wrong('quota', 'limit')
  if (quota.some(({ term }) => term > periods)) throw wrong('quota', 'term')
  return writeProduct(cx, product, [sql`quota = ${JSON.stringify(quota)}::jsonb`], 'quota')
}

/** Without any range overdue days cost nothing. @throws Problem G404, G409, G422 for gaps, overlaps and a cap that falls */
export async function editPenalty(
  cx: Cx,
  { productId, version, penalty }: InputOf<typeof api.editPenalty>,
): Promise<Product> {
  const product = await lockProduct(cx, productId, version, findTerms)
  if (!isPenaltyRight(penalty)) throw wrong('penalty', 'ranges')
  return writeProduct(
    cx,
    product,
    [sql`penalty = ${JSON.stringify(penalty)}::jsonb, penalty_rate = ${penalty[0]?.rate ?? 0}`],
    'penalty',
  )
}

/** @throws Problem G404, G409; G422 for a rate above the whole */
export async function editExtension(
  cx: Cx,
  { productId, version, extend }: InputOf<typeof api.editExtension>,
): Promise<Product> {
  const product = await lockProduct(cx, productId, version, findTerms)
  if (extend.feeType === 'rate' && extend.fee > 10_000)
    throw new Problem(INVALID_FIELDS, {}, { fields: { 'extend.fee': 'products:fault.rate' } })
  if (extend.feeType === 'rate' && extend.commission > 10_000)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { 'extend.commission': 'products:fault.rate' } },
    )
  return writeProduct(cx, product, [sql`extend = ${JSON.stringify(extend)}::jsonb`], 'extend')
}

function wrong(field: string, why: string): Problem {
  return new Problem(INVALID_FIELDS, {}, { fields: { [field]: `products:fault.${why}` } })
}
