import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/app_management': () => import('./apps/AppsScreen.tsx'),
  'system/emi_manage/app_config': () => import('./emi/EmiAppsScreen.tsx'),
  'system/emi_manage/params_config': () => import('./emi/EmiParamsScreen.tsx'),
  'system/product_config': () => import('./ProductsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
