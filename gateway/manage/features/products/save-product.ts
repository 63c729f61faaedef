/** Creates and edits products. Orders store their own terms, so existing orders never change. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { IN_USE, NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { ProductQuota } from '#shared/products/product-terms.ts'
import type * as api from '#shared/products/products-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { dropLogo, keepLogo } from './product-logo.ts'
import type { Product } from './product-queries.ts'
import { lockProduct, emitProducts, writeProduct } from './product-store.ts'
import { readTerms, type Terms } from './read-terms.ts'

type Fields = InputOf<typeof api.addProduct>

const NO_TERMS: Terms = { quota: [], penalty: [], extend: null }

/**
 * A new product is inactive until it is activated.
 * @throws Problem G-FIELD, K-DUP; G-FILE for a workbook with invalid terms
 */
export async function addProduct(
  tx: CommandTx,
  input: Fields,
  files: readonly Upload[],
): Promise<string> {
  await checkFields(tx, input, null, [])
  const [logo, workbook] = [fileIn(files, 'logo'), fileIn(files, 'template')]
  const terms = workbook === undefined ? NO_TERMS : await readTerms(workbook, input)
  const logoFileId = logo === undefined ? null : await keepLogo(tx, logo)
  const { rows } = await sql<{ id: string }>`
    insert into product (app_id, merchant_id, name, min_amount, max_amount, tenure_days, periods,
      days_per_period, service_rate, daily_rate, penalty_rate, cooling_off_days, microfinance, description,
      sort, quota, penalty, extend, logo_file_id, status)
    values (${input.appId}, ${input.merchantId}, ${input.name}, ${input.minAmount}, ${input.maxAmount},
      ${input.tenureDays}, ${input.periods}, ${input.daysPerPeriod}, ${input.serviceRate},
      ${input.dailyRate}, ${terms.penalty[0]?.rate ?? 0}, ${input.coolingOffDays},
      ${input.microfinance}, ${input.description ?? ''}, ${input.sort ?? 0},
        ${JSON.stringify(terms.quota)}::jsonb, ${JSON.stringify(terms.penalty)}::jsonb,
        ${terms.extend === null ? null : JSON.stringify(terms.extend)}::jsonb, ${logoFileId}, 'disabled')
    on conflict (app_id, name) do nothing returning id`.execute(tx.db)
  const productId = rows[0]?.id
  if (productId === undefined) throw taken()
  emitProducts(tx, [productId])
  tx.log({
    action: 'add',
    targetKind: 'product',
    targetId: productId,
    after: {
      ...input,
      ...(workbook === undefined ? {} : terms),
      ...(files.length === 0 ? {} : { files: filesInLog(files) }),
    },
  })
  return productId
}

/**
 * @throws Problem G404, G409, K-DUP; G-FIELD, also when the product's quotas exceed its new limits;
 * K-USED when a product with orders would move to another app
 */
export async function editProduct(
  tx: CommandTx,
  { productId, version, removeLogo = false, ...input }: InputOf<typeof api.editProduct>,
  files: readonly Upload[],
): Promise<Product> {
  const product = await lockProduct(tx, productId, version)
  await checkFields(tx, input, productId, product.before.quota as ProductQuota)
  const isEmi = product.before.kind === 'emi'
  // the terms of an EMI product are its parameters, and its app is the app they belong to
  if (isEmi && product.app_id !== input.appId)
    throw new Problem(INVALID_FIELDS, {}, { fields: { appId: 'products:fault.emiTerms' } })
  if (product.app_id !== input.appId) {
    const { rows } =
      await sql`select from loan_order o where o.product_id = ${productId} limit 1`.execute(tx.db)
    if (rows.length > 0)
      throw new Problem(IN_USE, {}, { fields: { appId: 'products:fault.appInUse' } })
  }
  const logo = fileIn(files, 'logo')
  const before = product.logo_file_id
  const logoFileId = logo === undefined ? (removeLogo ? null : before) : await keepLogo(tx, logo)
  const saved = await writeProduct(
    tx,
    product,
    [
      sql`
        app_id = ${input.appId}, merchant_id = ${input.merchantId}, name = ${input.name},
          microfinance = ${input.microfinance}, description = ${input.description ?? ''},
          sort = ${input.sort ?? 0}, logo_file_id = ${logoFileId}`,
      ...(isEmi ? [] : [termsOf(input)]),
    ],
    'edit',
  )
  if (before !== null && before !== logoFileId) await dropLogo(tx, before)
  return saved
}

function termsOf(input: Fields): RawBuilder<unknown> {
  return sql`
    min_amount = ${input.minAmount}, max_amount = ${input.maxAmount},
      tenure_days = ${input.tenureDays}, periods = ${input.periods},
      days_per_period = ${input.daysPerPeriod}, service_rate = ${input.serviceRate},
      daily_rate = ${input.dailyRate}, cooling_off_days = ${input.coolingOffDays}`
}

/** @throws Problem G404, G409 */
export async function setProductStatus(
  tx: CommandTx,
  { productId, version, status }: InputOf<typeof api.setProductStatus>,
): Promise<Product> {
  return writeProduct(
    tx,
    await lockProduct(tx, productId, version),
    [sql`status = ${status}`],
    'status',
  )
}

function fileIn(files: readonly Upload[], field: string): Upload | undefined {
  return files.find((file) => file.field === field)
}

/** @param quota the stored quotas, checked again because they must fit the product's new limits */
async function checkFields(
  tx: CommandTx,
  input: Fields,
  productId: string | null,
  quota: ProductQuota,
): Promise<void> {
  const fields: Record<string, string> = {}
  for (const { customerClass, limit, term } of quota) {
    if (limit < input.minAmount)
      fields.minAmount ??= `products:fault.quota.${customerClass}.minAmount`
    if (limit > input.maxAmount)
      fields.maxAmount ??= `products:fault.quota.${customerClass}.maxAmount`
    if (term > input.periods) fields.periods ??= `products:fault.quota.${customerClass}.periods`
  }
  if (input.maxAmount < input.minAmount) fields.maxAmount = 'products:fault.amounts'
  if (input.periods * input.daysPerPeriod !== input.tenureDays)
    fields.tenureDays = 'products:fault.tenure'
  const { rows } = await sql<{ app: boolean; merchant: boolean; taken: boolean }>`
    select exists (select 1 from app a where a.id = ${input.appId}) as app, exists (select 1 from merchant m
      where m.id = ${input.merchantId} and m.status = 'enabled') as merchant,
      exists (select 1 from product p where p.app_id = ${input.appId} and p.name = ${input.name}
        and p.id is distinct from ${productId}) as taken`.execute(tx.db)
  if (!rows[0]?.app) fields.appId = 'unknown'
  if (!rows[0]?.merchant) fields.merchantId = 'unknown'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  if (rows[0]?.taken) throw taken()
}

function taken(): Problem {
  return new Problem(NAME_TAKEN, {}, { fields: { name: 'products:fault.taken' } })
}
