import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/products/products-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitProducts } from './product-store.ts'

/**
 * Ends links; orders of these products go on. @returns the number of links that ended
 * @throws Problem G404
 */
export async function unlinkProducts(
  tx: CommandTx,
  { merchantId, productIds }: InputOf<typeof api.unlinkProducts>,
): Promise<number> {
  await lockMerchant(tx, merchantId)
  const { rows } = await sql<{ product_id: string }>`
    delete from merchant_product l where l.merchant_id = ${merchantId}
      and l.product_id = any(${productIds}::text[]) returning l.product_id`.execute(tx.db)
  const unlinked = rows.map((row) => row.product_id)
  if (unlinked.length > 0) emitProducts(tx, unlinked)
  tx.log({ action: 'merchant', targetKind: 'merchant', targetId: merchantId, after: { unlinked } })
  return unlinked.length
}

/** Existing links stay. @returns the number of new links @throws Problem G404, G-FIELD */
export async function linkProducts(
  tx: CommandTx,
  { merchantId, productIds }: InputOf<typeof api.linkProducts>,
): Promise<number> {
  await lockMerchant(tx, merchantId)
  const { rows: known } = await sql`select from product p where p.id = any(${productIds})`.execute(
    tx.db,
  )
  if (known.length < productIds.length)
    throw new Problem(INVALID_FIELDS, {}, { fields: { productIds: 'unknown' } })
  const { rows } = await sql<{ product_id: string }>`
    insert into merchant_product (merchant_id, product_id) select ${merchantId}, x.id
      from unnest(${productIds}::text[]) as x (id) on conflict do nothing returning product_id`.execute(
    tx.db,
  )
  const linked = rows.map((row) => row.product_id)
  if (linked.length > 0) emitProducts(tx, linked)
  tx.log({ action: 'merchant', targetKind: 'merchant', targetId: merchantId, after: { linked } })
  return linked.length
}

async function lockMerchant(tx: CommandTx, merchantId: string): Promise<void> {
  const { rows } = await sql`select from merchant m where m.id = ${merchantId} for update`.execute(
    tx.db,
  )
  if (rows.length === 0) throw new Problem(NOT_FOUND)
}
