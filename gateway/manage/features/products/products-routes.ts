import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/products/products-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { editExtension, editPenalty, editQuota } from './edit-terms.ts'
import { linkProducts } from './link-products.ts'
import { openLogo } from './product-logo.ts'
import { appOptions, findTerms, listMerchants, listProducts } from './product-queries.ts'
import { tellProducts } from './product-store.ts'
import { addProduct, editProduct, setProductStatus } from './save-product.ts'
import { termsTemplate } from './terms-template.ts'

export function productsRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listProducts, ({ db }, input) => listProducts(db, input))
  serveQuery(app, house, api.productOptions, ({ db }) => appOptions(db))
  serveQuery(app, house, api.listMerchants, ({ db }, input) => listMerchants(db, input))
  serveQuery(app, house, api.productQuota, async ({ db }, { productId }) => {
    const { quota, version } = await findTerms(db, productId)
    return { quota, version }
  })
  serveQuery(app, house, api.productPenalty, async ({ db }, { productId }) => {
    const { penalty, version } = await findTerms(db, productId)
    return { penalty, version }
  })
  serveQuery(app, house, api.productExtension, async ({ db }, { productId }) => {
    const { extend, version } = await findTerms(db, productId)
    return { extend, version }
  })
  serveQuery(app, house, api.productLogo, ({ db }, input) => openLogo(db, input))
  serveQuery(app, house, api.productTemplate, (_, input) => termsTemplate(input))
  serveUpload(app, house, api.addProduct, async (cx, input, files) => ({
    productId: await addProduct(cx, input, files),
  }))
  serveUpload(app, house, api.editProduct, editProduct)
  serveCommand(app, house, api.setProductStatus, setProductStatus)
  serveCommand(app, house, api.editQuota, editQuota)
  serveCommand(app, house, api.editPenalty, editPenalty)
  serveCommand(app, house, api.editExtension, editExtension)
  serveCommand(app, house, api.linkProducts, async (cx, input) => ({
    count: await linkProducts(cx, input),
  }))
  // products are read from the database each time: there is nothing to empty, only consoles that may show an older picture
  serveCommand(app, house, api.refreshProducts, async (cx) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from product p`.execute(cx.db)
    tellProducts(cx, [])
    return { count: rows[0]?.count ?? 0 }
  })
}
