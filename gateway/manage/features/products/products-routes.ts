import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/products/products-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { editExtension, editPenalty, editQuota } from './edit-terms.ts'
import { linkProducts, unlinkProducts } from './link-products.ts'
import { openLogo } from './product-logo.ts'
import { appOptions, findTerms, listMerchants, listProducts } from './product-queries.ts'
import { emitProducts } from './product-store.ts'
import { addProduct, editProduct, setProductStatus } from './save-product.ts'
import { termsTemplate } from './terms-template.ts'

export function productsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listProducts, ({ db }, input) => listProducts(db, input))
  serveQuery(app, context, api.productOptions, ({ db }) => appOptions(db))
  serveQuery(app, context, api.listMerchants, ({ db }, input) => listMerchants(db, input))
  serveQuery(app, context, api.productQuota, async ({ db }, { productId }) => {
    const { quota, version } = await findTerms(db, productId)
    return { quota, version }
  })
  serveQuery(app, context, api.productPenalty, async ({ db }, { productId }) => {
    const { penalty, version } = await findTerms(db, productId)
    return { penalty, version }
  })
  serveQuery(app, context, api.productExtension, async ({ db }, { productId }) => {
    const { extend, version } = await findTerms(db, productId)
    return { extend, version }
  })
  serveQuery(app, context, api.productLogo, ({ db }, input) => openLogo(db, input))
  serveQuery(app, context, api.productTemplate, (_, input) => termsTemplate(input))
  serveUpload(app, context, api.addProduct, async (tx, input, files) => ({
    productId: await addProduct(tx, input, files),
  }))
  serveUpload(app, context, api.editProduct, editProduct)
  serveCommand(app, context, api.setProductStatus, setProductStatus)
  serveCommand(app, context, api.editQuota, editQuota)
  serveCommand(app, context, api.editPenalty, editPenalty)
  serveCommand(app, context, api.editExtension, editExtension)
  serveCommand(app, context, api.linkProducts, async (tx, input) => ({
    count: await linkProducts(tx, input),
  }))
  serveCommand(app, context, api.unlinkProducts, async (tx, input) => ({
    count: await unlinkProducts(tx, input),
  }))
  // nothing is cached on the server: only the consoles refetch
  serveCommand(app, context, api.refreshProducts, async (tx) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from product p`.execute(tx.db)
    emitProducts(tx, [])
    return { count: rows[0]?.count ?? 0 }
  })
}
