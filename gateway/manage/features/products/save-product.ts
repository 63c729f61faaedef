/** A product as it is offered from now on. Orders hold their terms themselves, so nothing here reaches an order that was made. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { IN_USE, NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { ProductQuota } from '#shared/products/product-terms.ts'
import type * as api from '#shared/products/products-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { dropLogo, keepLogo } from './product-logo.ts'
import type { Product } from './product-queries.ts'
import { lockProduct, tellProducts, writeProduct } from './product-store.ts'
import { readTerms, type Terms } from './read-terms.ts'

type Fields = InputOf<typeof api.addProduct>

const NO_TERMS: Terms = { quota: [], penalty: [], extend: null }

/** Off until somebody switches it on. @throws Problem G422, K-DUP; G-FILE for a workbook whose terms do not fit */
export async function addProduct(cx: Cx, input: Fields, files: readonly Upload[]): Promise<string> {
  await checkFields(cx, input, null, [])
  const [logo, workbook] = [fileIn(files, 'logo'), fileIn(files, 'template')]
  const terms = workbook === undefined ? NO_TERMS : await readTerms(workbook, input)
  const logoFileId = logo === undefined ? null : await keepLogo(cx, logo)
  const { rows } = await sql<{ id: string }>`
    insert into product (app_id, merchant_id, name, min_amount, max_amount, tenure_days, periods, days_per_period, service_rate, daily_rate, penalty_rate, cooling_off_days, microfinance, description, sort, quota, penalty, extend, logo_file_id, status)
    values (${input.appId}, ${input.merchantId}, ${input.name}, ${input.minAmount}, ${input.maxAmount}, ${input.tenureDays}, ${input.periods}, ${input.daysPerPeriod}, ${input.serviceRate}, ${input.dailyRate}, ${terms.penalty[0]?.rate ?? 0}, ${input.coolingOffDays},
      ${input.microfinance}, ${input.description ?? ''}, ${input.sort ?? 0}, ${JSON.stringify(terms.quota)}::jsonb, ${JSON.stringify(terms.penalty)}::jsonb, ${terms.extend === null ? null : JSON.stringify(terms.extend)}::jsonb, ${logoFileId}, 'disabled')
    on conflict (app_id, name) do nothing returning id`.execute(cx.db)
  const productId = rows[0]?.id
  if (productId === undefined) throw taken()
  tellProducts(cx, [productId])
  cx.log({
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

/** @throws Problem G404, G409, G422 also for a product that its own limits by borrower would go beyond, K-DUP; K-USED when a product with orders is to go to another app */
export async function editProduct(
  cx: Cx,
  { productId, version, removeLogo = false, ...input }: InputOf<typeof api.editProduct>,
  files: readonly Upload[],
): Promise<Product> {
  const product = await lockProduct(cx, productId, version)
  await checkFields(cx, input, productId, product.before.quota as ProductQuota)
  if (product.app_id !== input.appId) {
    const { rows } =
      await sql`select from loan_order o where o.product_id = ${productId} limit 1`.execute(cx.db)
    if (rows.length > 0)
      throw new Problem(IN_USE, {}, { fields: { appId: 'products:fault.appInUse' } })
  }
  const logo = fileIn(files, 'logo')
  const before = product.logo_file_id
  const logoFileId = logo === undefined ? (removeLogo ? null : before) : await keepLogo(cx, logo)
  const saved = await writeProduct(
    cx,
    product,
    [
      sql`app_id = ${input.appId}, merchant_id = ${input.merchantId}, name = ${input.name}, min_amount = ${input.minAmount}, max_amount = ${input.maxAmount}, tenure_days = ${input.tenureDays}, periods = ${input.periods}, days_per_period = ${input.daysPerPeriod}`,
      sql`service_rate = ${input.serviceRate}, daily_rate = ${input.dailyRate}, cooling_off_days = ${input.coolingOffDays}, microfinance = ${input.microfinance}, description = ${input.description ?? ''}, sort = ${input.sort ?? 0}, logo_file_id = ${logoFileId}`,
    ],
    'edit',
  )
  if (before !== null && before !== logoFileId) await dropLogo(cx, before)
  return saved
}

/** @throws Problem G404, G409 */
export async function setProductStatus(
  cx: Cx,
  { productId, version, status }: InputOf<typeof api.setProductStatus>,
): Promise<Product> {
  return writeProduct(
    cx,
    await lockProduct(cx, productId, version),
    [sql`status = ${status}`],
    'status',
  )
}

function fileIn(files: readonly Upload[], field: string): Upload | undefined {
  return files.find((file) => file.field === field)
}

/** @param quota what borrowers of a class have of it: ranges that were right when they were saved must be right in the product as it is now */
async function checkFields(
  cx: Cx,
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
    select exists (select 1 from app a where a.id = ${input.appId}) as app, exists (select 1 from merchant m where m.id = ${input.merchantId} and m.status = 'enabled') as merchant,
      exists (select 1 from product p where p.app_id = ${input.appId} and p.name = ${input.name} and p.id is distinct from ${productId}) as taken`.execute(
    cx.db,
  )
  if (!rows[0]?.app) fields.appId = 'unknown'
  if (!rows[0]?.merchant) fields.merchantId = 'unknown'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  if (rows[0]?.taken) throw taken()
}

function taken(): Problem {
  return new Problem(NAME_TAKEN, {}, { fields: { name: 'products:fault.taken' } })
}
