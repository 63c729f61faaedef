import { PRODUCTS_MENU } from '#shared/products/products-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { productsRoutes } from './products-routes.ts'

export const products: Feature = {
  menu: PRODUCTS_MENU,
  routes: (base, { context }) => productsRoutes(base, context),
}
