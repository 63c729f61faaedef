/** Writes `product`: locks the row, compares the version, emits to all consoles. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findProduct, type Product } from './product-queries.ts'

/** The row's fields plus, for the log only, the previous terms. */
export interface LockedProduct {
  id: string
  app_id: string
  logo_file_id: string | null
  version: number
  before: Record<string, unknown>
}

/**
 * @param fresh builds the current product for the refusal of an outdated version
 * @throws Problem G404, G409
 */
export async function lockProduct(
  tx: CommandTx,
  productId: string,
  version: number,
  fresh: (db: Db, productId: string) => Promise<unknown> = findProduct,
): Promise<LockedProduct> {
  const { rows } = await sql<LockedProduct>`
    select p.id, p.app_id, p.logo_file_id, p.version, to_jsonb(p) - array['id', 'created_at', 'updated_at',
      'version'] as before from product p where p.id = ${productId} for update`.execute(tx.db)
  const product = rows[0]
  if (!product) throw new Problem(NOT_FOUND)
  if (product.version !== version)
    throw await changedByOther(tx.db, 'product', productId, await fresh(tx.db, productId))
  return product
}

/** @param set assignments to columns of `product` @param action name in the operate log */
export async function writeProduct(
  tx: CommandTx,
  product: LockedProduct,
  set: RawBuilder<unknown>[],
  action: string,
): Promise<Product> {
  const { rows } = await sql<{ after: Record<string, unknown> }>`
    update product p set ${sql.join(set)}, version = p.version + 1, updated_at = clock_timestamp()
      where p.id = ${product.id}
    returning to_jsonb(p) - array['id', 'created_at', 'updated_at', 'version'] as after`.execute(
    tx.db,
  )
  const after = rows[0]?.after ?? {}
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(product.before[name]),
  )
  const only = (row: Record<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, row[name]]))
  emitProducts(tx, [product.id])
  tx.log({
    action,
    targetKind: 'product',
    targetId: product.id,
    before: only(product.before),
    after: only(after),
  })
  return findProduct(tx.db, product.id)
}

/** Every screen with products refetches them. @param ids empty = all */
export function emitProducts(tx: CommandTx, ids: string[]): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:products',
    rooms: ['all'],
    data: { area: 'products', ids },
  })
}
