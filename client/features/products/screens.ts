import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/product_config': () => import('./ProductsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
