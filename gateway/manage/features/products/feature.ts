import { PRODUCTS_MENU } from '#shared/products/products-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { appsRoutes } from './apps/apps-routes.ts'
import { emiRoutes } from './emi/emi-routes.ts'
import { productsRoutes } from './products-routes.ts'

export const products: Feature = {
  menu: PRODUCTS_MENU,
  routes(base, { context }) {
    productsRoutes(base, context)
    appsRoutes(base, context)
    emiRoutes(base, context)
  },
}
